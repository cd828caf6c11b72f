import type { BoundValue, Statement } from './statement.js'

/** A statement whose values are still names; built once, bound for each request. */
export interface Template {
  readonly sql: string
  /** The name of the value for each `?` in turn. */
  readonly slots: readonly string[]
  /** The same text without its index hint. */
  readonly fallback?: string | undefined
}

/** The slot of a value that is the same for every request. */
export function literalSlot(value: string): string {
  return `=${value}`
}

/**
 * A statement of a template and the values of this request.
 *
 * @throws Error when a slot has no value: the template and its values come from different plans.
 */
export function bindTemplate(template: Template, values: ReadonlyMap<string, BoundValue>): Statement {
  return {
    sql: template.sql,
    values: template.slots.map((slot) => {
      const value = slot.startsWith('=') ? slot.slice(1) : values.get(slot)
      if (value === undefined) throw new Error(`No value for the slot ${slot}`)
      return value
    }),
    fallback: template.fallback,
  }
}

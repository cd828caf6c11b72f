import { isAccessDenied, isSchemaError, toCause } from '../../database/errors.js'
import { collectionNames } from '../../collections/collection.js'
import { toErrorText } from '../../errors.js'
import { Problem } from '../../problems.js'
import { createError, createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import type { Mapping } from '../../mapping/mapping-schema.js'

/** What rows and tables say against the mapping. */
export interface Contradiction {
  /** By which a section of the mapping file confirms that it is meant. Each warning has one; undefined where it cannot be meant. */
  readonly name?: string | undefined
  /** The places of the mapping that can be wrong. A later finding about some of these follows from this one. */
  readonly places: readonly string[]
  readonly isError: boolean
  /** For how many rows it holds. */
  readonly rows: number
  readonly problem: string
  readonly fix: string
}

/** @param rows for how many it holds. @param name by which it is confirmed */
export function contradict(
  isError: boolean,
  places: readonly string[],
  problem: string,
  fix: string,
  rows = 1,
  name?: string,
): Contradiction {
  return { isError, places, problem, fix, rows, name }
}

/** A confirmed count holds until it has grown by more than a tenth. */
const growthMax = 1.1

/**
 * One finding for each cause: the first of several about the same places, with the severity of the worst one. The problems of the
 * others follow in one line each. What the mapping file confirms is left out.
 */
export function toFindings(all: readonly Contradiction[], mapping: Mapping): readonly Finding[] {
  const causes: { cause: Contradiction; others: Contradiction[] }[] = []
  for (const one of all) {
    if (isConfirmed(one, mapping)) continue
    const found = causes.find(({ cause }) => one.places.every((place) => cause.places.includes(place)))
    if (found === undefined) causes.push({ cause: one, others: [] })
    else found.others.push(one)
  }
  return causes.map(({ cause, others }) => {
    const { places, problem, name, rows } = cause
    const [section = ''] = listSections(cause, mapping)
    const meant = `; if it is meant, write confirmed: { ${name ?? ''}: ${rows} } in ${section}`
    const fix = `${cause.fix}${name === undefined ? '' : meant}`
    const isError = cause.isError || others.some((one) => one.isError)
    const finding = (isError ? createError : createWarning)(places.join(', '), problem, fix)
    const details = [...new Set(others.map((one) => `also: ${one.problem}`))]
    return details.length === 0 ? finding : { ...finding, details }
  })
}

function isConfirmed(one: Contradiction, mapping: Mapping): boolean {
  const { name = '', rows } = one
  return listSections(one, mapping).some(
    (section) => rows <= (mapping[section]?.confirmed?.[name] ?? 0) * growthMax,
  )
}

/** The section of the mapping file that confirms something: its own, else any, such as for the table of keys. */
function listSections({ places: [place = ''] }: Contradiction, mapping: Mapping) {
  const mapped = collectionNames.filter((name) => mapping[name] !== undefined)
  const own = mapped.filter((name) => place.startsWith(`${name}.`))
  return own.length > 0 ? own : mapped
}

/** Why a statement of the check failed. @throws any error but that the database did not answer, denied it, or lacks a column. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Problem) && !isAccessDenied(error) && !isSchemaError(error)) throw error
  return toErrorText(toCause(error))
}

/** Undefined where a statement took too long, or where the server denied it. */
export function orNone<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  return reading.catch((error: unknown) => {
    describeFailure(error)
    return undefined
  })
}

/** That something could not be checked, and why. */
export function createFailure(object: string, reason: string): Contradiction {
  const fix = 'remove the reason; if it is time, check again with a greater DATABASE_QUERY_TIMEOUT_MS'
  return contradict(false, [object], `could not be checked: ${reason}`, fix)
}

/** A number of things: `no errors`, `1 error`, `2 errors`. */
export function toCountText(count: number, word: string): string {
  return `${count === 0 ? 'no' : count} ${word}${count === 1 ? '' : 's'}`
}

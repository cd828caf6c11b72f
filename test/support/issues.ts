import { expect } from 'vitest'
import type { Schema } from '../../src/database/schema.js'
import { ConfigError } from '../../src/errors.js'
import type { ConfigIssue } from '../../src/errors.js'
import { readMapping } from '../../src/mapping/load-configuration.js'
import { resolveMapping } from '../../src/mapping/resolve-mapping.js'

/** The issues with which a function fails; none where it succeeds. */
export function listIssues(read: () => unknown): readonly ConfigIssue[] {
  try {
    read()
  } catch (error) {
    if (error instanceof ConfigError) return error.issues
    throw error
  }
  return []
}

/** The issues of a mapping file, or else those against a schema, as `path: found (allowed)`. */
export function listIssueTexts(text: string, schema: Schema): readonly string[] {
  const issues = listIssues(() => {
    const mapping = resolveMapping(readMapping(text), schema)
    if (mapping.issues.length > 0) throw new ConfigError(mapping.issues)
  })
  return issues.map(({ path, found, allowed }) => `${path}: ${found} (${allowed})`)
}

/** Each issue begins with its text. */
export function expectIssues(found: readonly string[], expected: readonly string[]): void {
  expect(found.map((text, at) => text.slice(0, expected[at]?.length))).toEqual(expected)
}

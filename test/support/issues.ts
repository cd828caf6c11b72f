import { SchemaError, ConfigError } from '../../src/errors.js'
import type { ConfigIssue } from '../../src/errors.js'

/** The issues with which a function fails; none where it succeeds. */
export function listIssues(read: () => unknown): readonly ConfigIssue[] {
  try {
    read()
  } catch (error) {
    if (error instanceof ConfigError || error instanceof SchemaError) return error.issues
    throw error
  }
  return []
}

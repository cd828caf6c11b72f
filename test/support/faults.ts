import { SchemaError, ConfigError } from '../../src/errors.js'
import type { ConfigIssue } from '../../src/errors.js'

/** The faults that a reading of the configuration ends with; none where it succeeds. */
export function listFaults(read: () => unknown): readonly ConfigIssue[] {
  try {
    read()
  } catch (error) {
    if (error instanceof ConfigError || error instanceof SchemaError) return error.issues
    throw error
  }
  return []
}

import type { Undo } from './sessions.js'
import type { Stage } from './stage.js'

const wantedNames = new RegExp(process.env['FAULTS_ONLY'] ?? '')

/** Whether FAULTS_ONLY, a regular expression, selects a fault by its name. */
export function isWanted(name: string): boolean {
  return wantedNames.test(name)
}

/** Something that goes wrong with the database. */
export interface Fault<Scene = Stage> {
  readonly name: string
  /** Whether every caller gets 503 meanwhile, some do, none does, or that depends on the moment. */
  readonly refused: 'all' | 'some' | 'none' | 'maybe'
  /** What `/readyz` must say meanwhile, where that is certain. */
  readonly readyz?: 200 | 503
  readonly strike: (stage: Scene) => Promise<Undo>
  /** Puts back what may stay as it is until every caller was answered again. */
  readonly after?: (stage: Scene) => Promise<void>
  /** Resolves when what was broken serves again, where others served meanwhile. */
  readonly back?: (stage: Scene) => Promise<void>
}

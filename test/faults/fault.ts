import type { Mend } from './sessions.js'
import type { Stage } from './stage.js'

/** Something that goes wrong with the database. */
export interface Fault<Scene = Stage> {
  readonly name: string
  /** Whether every caller is told 503 meanwhile, some are, nobody is, or that depends on the moment. */
  readonly refused: 'all' | 'some' | 'none' | 'maybe'
  /** What `/readyz` must say meanwhile, where that is certain. */
  readonly readyz?: 200 | 503
  readonly strike: (stage: Scene) => Promise<Mend>
  /** Puts back what may stay as it is until everybody was answered again. */
  readonly after?: (stage: Scene) => Promise<void>
  /** Resolves when what was broken serves again, where others served meanwhile. */
  readonly back?: (stage: Scene) => Promise<void>
}

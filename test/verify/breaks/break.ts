import type { Change } from '../breaking-proxy.js'

/** One way in which a deployment can be wrong. */
export interface Break {
  /** What is wrong. */
  readonly name: string
  /** The guarantee that `verify` must report. */
  readonly guarantee: string
  /** A change of its own for each proxy, as some remember what they answered before. */
  readonly change: () => Change
}

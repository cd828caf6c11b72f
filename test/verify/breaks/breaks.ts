import type { Change } from '../broken-service.js'

/** Ways in which a deployment can be wrong: the guarantee that must find each, what is wrong, and the change. */
export type Breaks = Readonly<Record<string, Readonly<Record<string, Change>>>>

import type { Change } from '../broken-service.js'

/** One way in which a deployment can be wrong: the guarantee that must find it, what is wrong, and the change. */
export type Break = readonly [guarantee: string, name: string, change: Change]

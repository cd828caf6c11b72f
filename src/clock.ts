/** Milliseconds since 1970-01-01 UTC, as `Date.now`; passed in so that tests hold the time. */
export type Clock = () => number

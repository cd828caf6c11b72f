const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const day = /^\d{4}-\d{2}-\d{2}$/

/** Whether a text is a timestamp of the contract, of a time that exists. */
export function isTimestamp(text: string): boolean {
  const time = timestamp.test(text) ? Date.parse(text) : Number.NaN
  // JavaScript reads February 30th as March 2nd.
  return !Number.isNaN(time) && new Date(time).toISOString() === text
}

/** Whether a text is a day that exists. */
export function isDay(text: string): boolean {
  return day.test(text) && isTimestamp(`${text}T00:00:00.000Z`)
}

/** The type of a value, and not the value, which can be personal. */
export function describeValue(value: unknown): string {
  if (value === '') return 'an empty string'
  if (value === null) return 'null'
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'an array'
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
}

import { randomUUID } from 'node:crypto'

const acceptable = /^[A-Za-z0-9._-]{1,64}$/

/** The id of a request: the caller's own where it is short and plain, else a new one. */
export function chooseRequestId(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && acceptable.test(header) ? header : randomUUID()
}

import { hash } from 'node:crypto'
import fresh from 'fresh'

/** A weak entity tag over bytes: two answers with the same one show the same records. */
export function createEtag(bytes: Uint8Array): string {
  return `W/"${hash('sha1', bytes, 'base64url')}"`
}

/** Whether the caller already has this answer. */
export function isNotModified(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  etag: string,
): boolean {
  // Without the caller's Cache-Control: nothing is stored here, so asking past a cache changes no answer.
  return fresh({ 'if-none-match': headers['if-none-match'] }, { etag })
}

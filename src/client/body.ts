/** The largest body that is read, decompressed; a page of 100 records takes about 50 KB. */
export const bodyBytesMax = 16 * 1024 * 1024

/**
 * The body of a response as text. The body is never held beyond the limit: it is read as a stream, and cancelled there.
 *
 * @returns undefined for a body that is larger than `bodyBytesMax`.
 */
export async function readBody(response: Response): Promise<string | undefined> {
  // Some implementations of fetch, such as React Native's, have no stream.
  const body = response.body as ReadableStream<Uint8Array> | null | undefined
  if (!body) {
    const text = await response.text()
    return text.length > bodyBytesMax ? undefined : text
  }
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > bodyBytesMax) {
      // Not awaited: the connection may take its time to close, and its failure changes nothing.
      reader.cancel().catch(() => undefined)
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

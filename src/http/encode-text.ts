const scratch = Buffer.allocUnsafeSlow(256 * 1024)

/**
 * The UTF-8 bytes of a text, written once: `Buffer.from` measures first, which takes as long as the writing.
 *
 * @returns bytes that may be overwritten by the next call: read or copy them at once.
 */
export function encodeText(text: string): Buffer {
  // A UTF-16 unit takes three bytes at most.
  if (text.length * 3 > scratch.length) return Buffer.from(text)
  return scratch.subarray(0, scratch.write(text))
}

import { isUtf8 } from 'node:buffer'

const [quote, backslash, space] = [0x22, 0x5c, 0x20]
/** From the first size, in bytes, a buffer grows to the second one in one step. */
const [largeSize, largestSize] = [4_194_304, 67_108_864]

/** JSON under construction, as UTF-8 bytes. */
export class JsonBytes {
  /** Written up to `length`. It is replaced when it is too small. */
  bytes: Buffer
  length = 0

  /** @param size of the first buffer, in bytes. */
  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size)
  }

  /** Appends JSON text of ASCII characters: a number, a name with its punctuation, or text that needs no escape. */
  ascii(json: string): void {
    this.reserve(json.length)
    // Most parts are short, and a call into the runtime takes longer than a loop over 20 characters.
    const { bytes, length } = this
    for (let at = 0; at < json.length; at += 1) bytes[length + at] = json.charCodeAt(at)
    this.length += json.length
  }

  /** Appends a whole number with leading zeros. */
  digits(value: number, width: number): void {
    this.reserve(width)
    const { bytes, length } = this
    let rest = value
    for (let at = width - 1; at >= 0; at -= 1) {
      bytes[length + at] = 0x30 + (rest % 10)
      rest = Math.trunc(rest / 10)
    }
    this.length += width
  }

  /** Appends a JSON string. */
  string(text: string): void {
    const json = JSON.stringify(text)
    this.reserve(Buffer.byteLength(json))
    this.length += this.bytes.write(json, this.length)
  }

  /** Appends a JSON string of bytes that are UTF-8. */
  text(source: Buffer, start: number, end: number): void {
    this.reserve(end - start + 2)
    const { bytes } = this
    let to = this.length
    bytes[to++] = quote
    for (let at = start; at < end; at += 1) {
      const byte = source[at] ?? 0
      if (byte < space || byte === quote || byte === backslash) {
        this.string(source.toString('utf8', start, end))
        return
      }
      bytes[to++] = byte
    }
    bytes[to++] = quote
    this.length = to
  }

  /**
   * What was written, and a tail of ASCII characters behind it in the same memory, because a copy of a large answer would take
   * as much again. Another tail is written into a copy. Bytes of a text that are no UTF-8 are replaced by U+FFFD.
   */
  end(tail = ''): Buffer {
    const { length } = this
    this.ascii(tail)
    const ended = this.bytes.subarray(0, this.length)
    this.bytes = ended.subarray(0, length)
    this.length = length
    return isUtf8(ended) ? ended : Buffer.from(ended.toString())
  }

  /** Makes room for more bytes. */
  reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.bytes.length) return
    // The smaller buffers of a large one are garbage beside it. What is not written takes no memory of the machine.
    const size = this.bytes.length < largeSize ? this.bytes.length * 2 : largestSize
    const larger = Buffer.allocUnsafe(Math.max(needed, size))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }
}

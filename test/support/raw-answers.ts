/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

interface Parsed {
  readonly answers: readonly RawAnswer[]
  /** What came of an answer that is not there yet as a whole. */
  readonly rest: string
}

const statusLine = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/
const headerLine = /^([!#$%&'*+.^_`|~\w-]+): ?([\x20-\x7e]*)$/

/**
 * Answers out of what was received, one character for each byte. A body is left out where the next answer begins
 * in its place, as after HEAD.
 *
 * @throws Error for anything that is not HTTP.
 */
export function parseAnswers(received: string): Parsed {
  const answers: RawAnswer[] = []
  let rest = received
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) break
    const { status, headers } = parseHead(rest.slice(0, end))
    const after = rest.slice(end + 4)
    const body = takeBody(after, status, headers)
    if (body === undefined) break
    answers.push({ status, headers, body: body.text })
    rest = after.slice(body.length)
  }
  if (rest !== '' && !'HTTP/1.1 '.startsWith(rest.slice(0, 9)))
    throw new Error(`Not the beginning of an answer: ${JSON.stringify(rest.slice(0, 200))}`)
  return { answers, rest }
}

function parseHead(head: string): Pick<RawAnswer, 'status' | 'headers'> {
  const [first = '', ...lines] = head.split('\r\n')
  const status = statusLine.exec(first)?.[1]
  if (status === undefined) throw new Error(`Not a status line: ${JSON.stringify(first)}`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value] = headerLine.exec(line) ?? []
    if (name === undefined || value === undefined) throw new Error(`Not a header: ${JSON.stringify(line)}`)
    if (headers.has(name.toLowerCase())) throw new Error(`A header twice: ${name}`)
    headers.set(name.toLowerCase(), value)
  }
  return { status: Number(status), headers }
}

interface Body {
  readonly text: string
  readonly length: number
}

/** The body at the beginning of a text; undefined where not all of it has come. */
function takeBody(after: string, status: number, headers: RawAnswer['headers']): Body | undefined {
  const none = { text: '', length: 0 }
  if (status < 200 || status === 204 || status === 304 || after.startsWith('HTTP/1.1 ')) return none
  if (headers.get('transfer-encoding') === 'chunked') return takeChunks(after)
  const length = headers.get('content-length')
  if (length === undefined || !/^\d+$/.test(length)) throw new Error('An answer without a length')
  return after.length < Number(length)
    ? undefined
    : { text: after.slice(0, Number(length)), length: Number(length) }
}

function takeChunks(after: string): Body | undefined {
  let text = ''
  let at = 0
  for (;;) {
    const size = /^([\da-f]+)\r\n/i.exec(after.slice(at, at + 20))
    if (size?.[1] === undefined) return undefined
    const from = at + size[0].length
    const to = from + Number.parseInt(size[1], 16)
    if (after.length < to + 2) return undefined
    text += after.slice(from, to)
    at = to + 2
    if (to === from) return { text, length: at }
  }
}

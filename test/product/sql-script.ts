/** A statement of a script. */
export interface ScriptStatement {
  readonly sql: string
  /** The line that it begins in, from 1. */
  readonly line: number
}

const quoted = [/'[^'\\]*(?:\\[^][^'\\]*)*'/, /"[^"\\]*(?:\\[^][^"\\]*)*"/, /`[^`]*`/]
const comments = [/--(?=\s|$)[^\n]*/, /#[^\n]*/, /\/\*(?!M?!)[^]*?\*\//]
// Each character begins one alternative only, so that a text without an end fails at once.
const conditional = new RegExp(
  `/\\*M?!(?:${anyOf(...quoted, ...comments, /(?!--(?:\s|$)|#|\/\*|\*\/)[^'"`]/)})*\\*/`,
)
const ignored = new RegExp(anyOf(/\s+/, ...comments), 'y')
const delimiterCommand = /delimiter[ \t]+(\S+)[^\n]*/iy
const clientCommand = /((?:source[ \t]|\\[.!])[^\r\n]*)/iy

/**
 * The statements of a script as the clients of MySQL and MariaDB read it: `DELIMITER`, quotes, and the conditional
 * comments of dumps. The last statement needs no delimiter.
 *
 * @throws Error for a quote or a comment without its end, or for a command of the client, such as `source`.
 */
export function readScript(text: string): readonly ScriptStatement[] {
  const reader = createReader(text)
  const statements: ScriptStatement[] = []
  let delimiter = ';'
  while (!reader.isDone()) {
    if (reader.take(ignored) !== undefined) continue
    const { at, line } = reader.position
    const command = reader.take(delimiterCommand)
    if (command !== undefined) {
      delimiter = command
      continue
    }
    const foreign = reader.take(clientCommand)
    if (foreign !== undefined)
      throw new Error(`line ${line}: ${foreign} is a command of the client; name that file instead`)
    takeStatement(reader, delimiter)
    const sql = text.slice(at, reader.position.at).trim()
    reader.position.at += delimiter.length
    if (sql !== '') statements.push({ sql, line })
  }
  return statements
}

interface Reader {
  readonly position: { at: number; line: number }
  readonly isDone: () => boolean
  readonly startsWith: (text: string) => boolean
  /** Goes beyond what a pattern finds here. Returns its group, or all of it; undefined where it finds nothing. */
  readonly take: (pattern: RegExp) => string | undefined
}

function createReader(text: string): Reader {
  const position = { at: 0, line: 1 }
  return {
    position,
    isDone: () => position.at >= text.length,
    startsWith: (start) => text.startsWith(start, position.at),
    take: (pattern) => {
      pattern.lastIndex = position.at
      const found = pattern.exec(text)
      if (found === null) return undefined
      position.at = pattern.lastIndex
      position.line += countLines(found[0])
      return found[1] ?? found[0]
    },
  }
}

function takeStatement(reader: Reader, delimiter: string): void {
  const token = toToken(delimiter)
  while (!reader.isDone() && !reader.startsWith(delimiter)) {
    if (reader.take(token) === undefined)
      throw new Error(`line ${reader.position.line}: a quote or a comment that begins here has no end`)
  }
}

const tokens = new Map<string, RegExp>()

/** A part of a statement in which no delimiter counts. */
function toToken(delimiter: string): RegExp {
  const known = tokens.get(delimiter)
  if (known !== undefined) return known
  const first = delimiter.slice(0, 1).replace(/[\]\\^-]/, '\\$&')
  const plain = new RegExp(`[^'"\`/#${first}-]+`)
  const token = new RegExp(anyOf(...quoted, ...comments, conditional, plain, /(?!\/\*)[^'"`]/), 'y')
  tokens.set(delimiter, token)
  return token
}

function anyOf(...patterns: readonly RegExp[]): string {
  return patterns.map(({ source }) => source).join('|')
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

const database = /^(?:use\s|(?:create|drop|alter)\s+(?:database|schema)\b)/i
/** What `mysqldump` sets for the server as a whole. */
const serverSetting = /^set\s+(?:@@global\.gtid_purged|@@session\.sql_log_bin|@mysqldump_temp_log_bin)\b/i
const withDefiner =
  /^(?:create|alter)\s+(?:or\s+replace\s+)?(?:algorithm\s*=\s*\w+\s+)?(?:sql\s+security\s+\w+\s+)?definer\b/i
const name = '(?:`[^`]*`|\'[^\']*\'|"[^"]*"|[\\w$.%]+)'
const definer = new RegExp(`\\bdefiner\\s*=\\s*${name}(?:\\s*@\\s*${name}|\\s*\\(\\s*\\))?`, 'i')

/**
 * A statement of a dump as it can run in any database: without `DEFINER`, which names an account of another server.
 *
 * @returns undefined for a statement that chooses, makes or drops a database, or changes the whole server.
 */
export function toPortable(sql: string): string | undefined {
  // Enough for what stands before the name of a view or trigger.
  const head = sql
    .slice(0, 1000)
    .replace(/\/\*(?!M?!)[^]*?\*\//g, ' ')
    .replace(/\/\*M?!\d*|\*\//g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (database.test(head) || serverSetting.test(head)) return undefined
  return withDefiner.test(head) ? sql.replace(definer, '') : sql
}

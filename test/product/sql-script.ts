/** A statement of a script. */
export interface ScriptStatement {
  readonly sql: string
  /** The line that it begins in, from 1. */
  readonly line: number
}

/**
 * Quotes and comments, in which no delimiter counts; a conditional comment of a dump is read as what it holds, except the one
 * of version 999999, which dumps of MariaDB begin with: no server runs it, and no delimiter ends it.
 */
const token =
  /'[^'\\]*(?:\\[^][^'\\]*)*'|"[^"\\]*(?:\\[^][^"\\]*)*"|`[^`]*`|--(?=\s|$)[^\n]*|#[^\n]*|\/\*(?!M?!(?!9{6}))[^]*?\*\//y
const unclosed = /['"`]|\/\*(?!M?!(?!9{6}))/y
const ignored = /\s+|--(?=\s|$)[^\n]*|#[^\n]*|\/\*(?!M?!(?!9{6}))[^]*?\*\//y
const delimiterCommand = /delimiter[ \t]+(\S+)[^\n]*/iy
const clientCommand = /source[ \t][^\r\n]*|\\[.!][^\r\n]*/iy

/**
 * The statements of a script as the clients of MySQL and MariaDB read it: `DELIMITER`, quotes, and the conditional
 * comments of dumps. The last statement needs no delimiter.
 *
 * @throws Error for a quote or a comment without its end, or for a command of the client, such as `source`.
 */
export function readScript(text: string): readonly ScriptStatement[] {
  const statements: ScriptStatement[] = []
  let delimiter = ';'
  for (let at = 0; at < text.length;) {
    const skipped = matchAt(ignored, text, at) ?? matchAt(delimiterCommand, text, at)
    if (skipped !== null) {
      delimiter = skipped[1] ?? delimiter
      at += skipped[0].length
      continue
    }
    const foreign = matchAt(clientCommand, text, at)?.[0]
    if (foreign !== undefined) fail(text, at, `${foreign} is a command of the client; name that file instead`)
    const end = findEnd(text, at, delimiter)
    const sql = text.slice(at, end).trim()
    if (sql !== '') statements.push({ sql, line: lineOf(text, at) })
    at = end + delimiter.length
  }
  return statements
}

/** Where the delimiter of a statement is, or the end of the script. */
function findEnd(text: string, from: number, delimiter: string): number {
  let end = from
  while (end < text.length && !text.startsWith(delimiter, end)) {
    const part = matchAt(token, text, end)?.[0]
    if (part === undefined && matchAt(unclosed, text, end) !== null)
      fail(text, end, 'a quote or a comment that begins here has no end')
    end += part?.length ?? 1
  }
  return end
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function fail(text: string, at: number, problem: string): never {
  throw new Error(`line ${lineOf(text, at)}: ${problem}`)
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

const ofDatabase = /^(?:use\s|(?:create|drop|alter)\s+(?:database|schema)\b)/i
/** What `mysqldump` sets for the server as a whole. */
const ofServer = /^set\s+(?:@@global\.gtid_purged|@@session\.sql_log_bin|@mysqldump_temp_log_bin)\b/i
/** What remains when all rows are gone. */
const definition = /^(?:create|alter|drop|rename)\b(?!\s+(?:or\s+replace\s+)?temporary\b)/i
/** What stands before the name of a view or trigger, with the words that matter. */
const withDefiner =
  /^(?:create|alter)\s+(?:or\s+replace\s+)?(?:algorithm\s*=\s*\w+\s+)?(?:sql\s+security\s+\w+\s+)?definer\b/i
const name = '(?:`[^`]*`|\'[^\']*\'|"[^"]*"|[\\w$.%]+)'
const definer = new RegExp(`\\bdefiner\\s*=\\s*${name}(?:\\s*@\\s*${name}|\\s*\\(\\s*\\))?`, 'i')

/**
 * A statement of a dump as it can run in any database: without `DEFINER`, which names an account of another server.
 *
 * @param isRepeated whether it runs again after all rows were deleted, in a database that has its tables.
 * @returns undefined for a statement that chooses, makes or drops a database, or changes the whole server; for one that makes
 * or changes a table, where it is repeated.
 */
export function toPortable(sql: string, isRepeated: boolean): string | undefined {
  const head = sql
    .slice(0, 1000)
    .replace(/\/\*(?!M?!)[^]*?\*\/|\/\*M?!\d*|\*\//g, ' ')
    .trim()
  if (ofDatabase.test(head) || ofServer.test(head)) return undefined
  if (isRepeated && definition.test(head)) return undefined
  return withDefiner.test(head) ? sql.replace(definer, '') : sql
}

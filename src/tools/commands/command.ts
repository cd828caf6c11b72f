import { parseArgs } from 'node:util'
import { VitrineError } from '../../client/errors.js'
import { version } from '../../client/headers.js'
import { escapeUnprintable, explainFailure, renderHint } from '../../client/text.js'
import { AuditError, ConfigError, toErrorText, toIssueText, UsageError } from '../../errors.js'
import type { ConfigIssue } from '../../errors.js'
import { Problem, unwrapProblem } from '../../problems.js'

/** Exit codes: 64 for a command line with an error, 69 for a service that is not there, 78 for configuration, as in sysexits.h. */
export const exitCodes = { usage: 64, unavailable: 69, configuration: 78, failure: 1 } as const

/** The environment. */
export type Variables = Readonly<Record<string, string | undefined>>

/** What the value of an option can be. */
export interface Form<Value> {
  /** In words, such as `whole seconds from 0 to 99999`. */
  readonly allowed: string
  /** The words that a value is made of, to name the nearest. */
  readonly words?: readonly string[]
  /** The value; undefined for a text of another form. */
  readonly parse: (text: string) => Value | undefined
}

/** An option of a command; one without a form is a flag. */
interface Option {
  readonly help: string
  /** The placeholder of its value in the usage. */
  readonly value?: string
  readonly form?: Form<unknown>
  readonly isRequired?: true
  /** Whether it can be given several times. */
  readonly isRepeated?: true
}

/** An option without a value. */
export const flag = (help: string) => ({ help })

/** An option with a value. */
export const option = <Value>(value: string, help: string, form: Form<Value>) => ({ value, help, form })

/** An option with a value that must be given. */
export const required = <Value>(value: string, help: string, form: Form<Value>) =>
  ({ value, help, form, isRequired: true }) as const

/** An option that can be given several times. */
export const repeated = <Value>(value: string, help: string, form: Form<Value>) =>
  ({ value, help, form, isRepeated: true }) as const

type Options = Readonly<Record<string, Option>>

type Value<Of extends Option> = Of extends { form: Form<infer Read> }
  ? Of extends { isRequired: true }
    ? Read
    : Of extends { isRepeated: true }
      ? readonly Read[]
      : Read | undefined
  : boolean

/** The values of options, with their types. */
export type Values<Of extends Options> = { readonly [Name in keyof Of]: Value<Of[Name]> }

interface Entry<Of extends Options> {
  readonly name: string
  /** The placeholder of its argument in the usage; most commands have none. */
  readonly argument?: string
  readonly summary: string
  /** By their names in code: `keyEnv` for `--key-env`. */
  readonly options: Of
  readonly run: (values: Values<Of>, args: readonly string[]) => Promise<void>
}

/** A command, with its command line still to be parsed. */
export interface Command extends Omit<Entry<Options>, 'run'> {
  readonly run: (args: readonly string[]) => Promise<void>
}

export const toFlag = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/**
 * A command whose `run` receives the values of its options with their types, or that throws a UsageError, which repeats no
 * value: it may be a secret in the wrong place. No schema library reads the values, because `pull` is also a program of a
 * package without dependencies.
 */
export function defineCommand<const Of extends Options>(entry: Entry<Of>): Command {
  const run = async (args: readonly string[]): Promise<void> => {
    const { values: texts, positionals } = parseStrictly(entry.options, args, entry.argument !== undefined)
    const issues: string[] = []
    const values = Object.entries(entry.options).map(
      ([name, { value = '', form, isRequired, isRepeated }]) => {
        const text = texts[toFlag(name)]
        if (form === undefined) return [name, text === true]
        const all = [text ?? []].flat().map((one) => form.parse(String(one)))
        const read = all.includes(undefined) ? undefined : isRepeated ? all : all[0]
        if (text === undefined && isRequired) issues.push(`--${toFlag(name)} ${value} is missing`)
        else if (text !== undefined && read === undefined)
          issues.push(`--${toFlag(name)} takes ${form.allowed}${hintWord(String(text), form)}`)
        return [name, read]
      },
    )
    if (issues.length > 0) throw new UsageError(issues.join('\n'))
    await entry.run(Object.fromEntries(values) as Values<Of>, positionals)
  }
  return { ...entry, run }
}

/** @throws UsageError for what Node does not accept, with the option that was probably meant */
function parseStrictly(options: Options, args: readonly string[], allowPositionals: boolean) {
  const types = Object.entries(options).map(
    ([name, { value, isRepeated = false }]) =>
      [toFlag(name), { type: value === undefined ? 'boolean' : 'string', multiple: isRepeated }] as const,
  )
  try {
    return parseArgs({ args: [...args], options: Object.fromEntries(types), allowPositionals })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [, kind, typed] = /^(Unknown option|Option) '(-[^ '=]*)/.exec(error.message) ?? []
    // Without the value, which Node names.
    if (typed === undefined) throw new UsageError('a value has no option before it')
    if (kind === 'Option') throw new UsageError(describeValue(typed, options))
    const hint = renderHint(typed.replace(/^-+/, ''), Object.keys(options).map(toFlag), '--')
    throw new UsageError(`there is no option ${typed}${hint}`)
  }
}

/** An option without its value, or a flag with one. */
function describeValue(typed: string, options: Options): string {
  const { value } = Object.entries(options).find(([name]) => `--${toFlag(name)}` === typed)?.[1] ?? {}
  return value === undefined ? `${typed} takes no value` : `${typed} needs a value: ${typed} ${value}`
}

/** The nearest word for the first part of a value that is none of its form. */
export function hintWord(text: string | boolean, { words = [] }: Form<unknown>): string {
  const wrong = String(text)
    .split(/[\s,]+/)
    .find((part) => !words.includes(part))
  return renderHint(wrong ?? '', words)
}

/**
 * Runs a command, or prints its usage for `--help` or `-h`, or the version for `--version`. Errors are printed, and set the
 * exit status.
 *
 * @param invocation what stands before the arguments, such as `vitrine pull`; its first word begins error messages.
 */
export async function runCommand(
  invocation: string,
  command: Command,
  args: readonly string[],
): Promise<void> {
  const reported = new Set<unknown>()
  const report = (error: unknown): void => {
    // The command can have the error of stdout too.
    if (!reported.has(error)) reportError(error, invocation)
    reported.add(error)
  }
  // A reader such as `head` closes the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') report(error)
  })
  if (args.some(isHelp)) {
    const usage = renderUsage(invocation, command)
    process.stdout.write(`usage:\n${usage}${toUsageLine('    --help, -h', 'print this text')}`)
  } else if (args.includes('--version')) process.stdout.write(`${version}\n`)
  else await command.run(args).catch(report)
}

/** The usage of a command. @param invocation what stands before its arguments, such as `vitrine pull` */
export function renderUsage(invocation: string, { argument = '', summary, options }: Command): string {
  const lines = Object.entries(options).map(([name, { value = '', help }]) =>
    toUsageLine(`    --${toFlag(name)} ${value}`, help),
  )
  return `${toUsageLine(`  ${invocation} ${argument}`, summary)}${lines.join('')}`
}

/** A line of a usage, in two columns. */
export function toUsageLine(left: string, text: string): string {
  const width = 27
  return `${`${left.trimEnd()} `.padEnd(width)}${text.replaceAll('\n', `\n${' '.repeat(width)}`)}\n`
}

/** Whether an argument asks for the usage. */
export function isHelp(arg: string): boolean {
  return arg === '--help' || arg === '-h'
}

/** Prints an error without a stack, every issue on a line of its own, and sets the exit status. */
export function reportError(error: unknown, invocation: string): void {
  // Names and values of the database, and of files, are among these.
  const lines = listLines(error, invocation).map(escapeUnprintable)
  process.stderr.write(`${invocation.split(' ')[0] ?? ''}: ${lines.join('\n')}\n`)
  process.exitCode = toExitCode(error)
}

/** What makes a database usable, by the text of the error that says it is not. */
const databaseNeeds: readonly (readonly [failure: RegExp, need: string])[] = [
  [/unknown database|to database/i, 'the name of a database that its user may use, at the end'],
  [/access denied for user|auth/i, 'a user that the server accepts from this host, with its password'],
  [/certificate|ssl|tls|secure|handshake/i, 'a server with TLS as DATABASE_TLS says (see docs/deploy.md)'],
  [/in time|execution time|interrupted/i, 'a server that answers within DATABASE_QUERY_TIMEOUT_MS'],
  [/^/, 'a running MySQL or MariaDB server at its host and port, or its socket'],
]

/** What a person reads of an error: one of the database with what is needed instead. */
export function toFailureText(error: unknown): string {
  const cause = unwrapProblem(error)
  if (error instanceof VitrineError && error.isTransient)
    return `${error.message} Correct the address, or run the command again later: it continues from here.`
  if (!(error instanceof Problem) || error.code !== 'database_unavailable') return toErrorText(cause)
  const text = explainFailure(cause)
  const need = databaseNeeds.find(([failure]) => failure.test(text))?.[1] ?? ''
  return `The database of DATABASE_URL cannot be used: ${text}. It needs ${need}: correct it, and run the command again.`
}

/** The exit status of a command that throws this. */
export function toExitCode(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage
  return error instanceof ConfigError ? exitCodes.configuration : exitCodes.failure
}

function listLines(error: unknown, invocation: string): readonly string[] {
  const indent = (line: string): string => `  ${line}`
  const cause = unwrapProblem(error)
  if (error instanceof UsageError) return [...error.message.split('\n'), `See ${invocation} --help.`]
  if (error instanceof ConfigError)
    return [
      'The configuration cannot be used:',
      ...error.issues.map(toIssueText).map(indent),
      `See ${/pull$/.test(invocation) ? `${invocation} --help` : toPages(error.issues)}, and run ${invocation} again.`,
    ]
  if (cause instanceof AuditError) return ['The database is not as it must be:', ...cause.lines.map(indent)]
  return toFailureText(error).split('\n')
}

/** The pages about issues: a variable has its name in capitals; others are of the mapping file. */
function toPages(issues: readonly ConfigIssue[]): string {
  const pages = issues.map(({ path }) => (/^[A-Z]/.test(path) ? 'docs/configure.md' : 'docs/product-team.md'))
  return [...new Set(pages)].join(' and ')
}

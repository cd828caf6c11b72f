import { parseArgs } from 'node:util'
import { findNearest } from '../../client/nearest.js'
import { UsageError } from '../../errors.js'

/** What the value of an option can be. */
export interface Form<Value> {
  /** In words, such as `whole seconds from 0 to 99999`. */
  readonly allowed: string
  /** The value; undefined for a text of another form. */
  readonly parse: (text: string) => Value | undefined
}

interface Option {
  /** The placeholder of its value in the usage; a flag has none. */
  readonly value?: string
  /** Any text without it. */
  readonly form?: Form<unknown>
  readonly isRequired?: true
  readonly help: string
}

type Options = Readonly<Record<string, Option>>

/** The name of an option in code: `keyEnv` for `key-env`. */
type CamelCase<Name> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** An option that may be left out is undefined then; a flag is false. */
type ValueOf<Of extends Option> = Of extends { readonly value: string }
  ? | (Of extends { readonly form: Form<infer Value> } ? Value : string)
    | (Of extends { readonly isRequired: true } ? never : undefined)
  : boolean

interface CommandEntry<Of extends Options> {
  readonly name: string
  /** The placeholder of its argument in the usage; most commands have none. */
  readonly argument?: string
  readonly summary: string
  readonly options: Of
  readonly run: (
    values: { readonly [Name in keyof Of as CamelCase<Name> & string]: ValueOf<Of[Name]> },
    args: readonly string[],
  ) => Promise<void>
}

/** A command of the table, with its command line still to be parsed. */
export interface Command extends Omit<CommandEntry<Options>, 'run'> {
  readonly run: (args: readonly string[]) => Promise<void>
}

/**
 * A command whose `run` receives the values of its options with their types, or that throws a UsageError. No schema library
 * reads the values, because `pull` is also a program of a package without dependencies.
 */
export function defineCommand<const Of extends Options>(entry: CommandEntry<Of>): Command {
  const run = async (args: readonly string[]): Promise<void> => {
    const { values, positionals } = parseCommandLine(entry, args)
    await entry.run(values as Parameters<typeof entry.run>[0], positionals)
  }
  return { ...entry, run }
}

/** @throws UsageError, which repeats no value: it may be a secret in the wrong place */
function parseCommandLine({ name, argument, options }: Omit<Command, 'run'>, args: readonly string[]) {
  const { values: texts, positionals } = parseStrictly(options, args, argument !== undefined)
  const issues: string[] = []
  const read = ([option, { value, form, isRequired }]: readonly [string, Option]): unknown => {
    const text = texts[option]
    if (value === undefined) return text === true
    if (typeof text !== 'string') {
      if (isRequired) issues.push(`${name} needs --${option}`)
      return undefined
    }
    const parsed = form === undefined ? text : form.parse(text)
    if (parsed === undefined) issues.push(`--${option} takes ${form?.allowed ?? ''}`)
    return parsed
  }
  const toName = (option: string): string =>
    option.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  const values = Object.fromEntries(Object.entries(options).map((one) => [toName(one[0]), read(one)]))
  if (issues.length > 0) throw new UsageError(issues.join('\n'))
  return { values, positionals }
}

/** @throws UsageError for what Node does not accept, with the option that was probably meant */
function parseStrictly(options: Options, args: readonly string[], allowPositionals: boolean) {
  const types = Object.entries(options).map(
    ([option, { value }]) => [option, { type: value === undefined ? 'boolean' : 'string' }] as const,
  )
  try {
    return parseArgs({ args: [...args], options: Object.fromEntries(types), allowPositionals })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [, typed] = /^Unknown option '(-[^ ']*)/.exec(error.message) ?? []
    if (typed === undefined) throw new UsageError(error.message)
    throw new UsageError(
      `there is no option ${typed}${renderHint(typed.replace(/^-+/, ''), Object.keys(options), '--')}`,
    )
  }
}

/** The name that was probably meant, for the end of a message. */
export function renderHint(typed: string, names: readonly string[], prefix = ''): string {
  const nearest = findNearest(typed, names)
  return nearest === undefined ? '' : `; did you mean ${prefix}${nearest}?`
}

import { parseArgs } from 'node:util'
import { findNearest } from '../../client/nearest.js'
import { UsageError } from '../../errors.js'

/** What the value of an option can be. */
export interface Form<Value> {
  /** In words, such as `whole seconds from 0 to 99999`. */
  readonly allowed: string
  /** The value; undefined for a text of another form. A UsageError of it says more. */
  readonly parse: (text: string) => Value | undefined
}

interface Option {
  /** The placeholder of its value in the usage; a flag has none. */
  readonly value?: string
  /** Any text without it. */
  readonly form?: Form<unknown>
  /** Its value where it is left out. */
  readonly default?: unknown
  readonly help: string
  /** Whether the command needs it, unless it is given an option that this one excludes. */
  readonly isRequired?: true
  /** An option that must be there too. */
  readonly needs?: string
  /** Options that cannot be there too. */
  readonly excludes?: readonly string[]
  /** Whether it stands in place of the argument. */
  readonly replacesArgument?: true
}

type Options = Readonly<Record<string, Option>>

/** The name of an option in code: `keyEnv` for `key-env`. */
type CamelCase<Name> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** The value of an option: as its form reads it, or a text. */
type ValueOf<Of extends Option> = Of extends { readonly form: Form<infer Value> } ? Value : string

/** An option that may be left out is undefined then; a flag is false. */
type Given<Of extends Option> = Of extends { readonly value: string }
  ? Of extends { readonly isRequired: true; readonly excludes?: never } | { readonly default: unknown }
    ? ValueOf<Of>
    : ValueOf<Of> | undefined
  : boolean

/** What `run` of a command receives of its options. */
export type Values<Of extends Options> = {
  readonly [Name in keyof Of as CamelCase<Name> & string]: Given<Of[Name]>
}

/** The argument, undefined where an option replaced it. */
type ArgumentOf<Of extends Options, Choice> = Of[keyof Of] extends infer One
  ? One extends { readonly replacesArgument: true }
    ? Choice | undefined
    : Choice
  : never

interface CommandEntry<Of extends Options, Choice extends string> {
  readonly name: string
  /** The placeholder of its argument in the usage. */
  readonly argument?: string
  /** What the argument can be. */
  readonly choices?: readonly Choice[]
  readonly summary: string
  readonly options: Of
  readonly run: (values: Values<Of>, argument: ArgumentOf<Of, Choice>) => Promise<void>
}

/** A command of the table, with its values still to be parsed. */
export interface Command extends Omit<CommandEntry<Options, string>, 'run'> {
  readonly run: (args: readonly string[]) => Promise<void>
}

/**
 * A command whose `run` receives its argument and the values of its options with their types.
 *
 * The command throws a UsageError with everything that its declaration does not allow.
 */
export function defineCommand<const Of extends Options, const Choice extends string = never>(
  entry: CommandEntry<Of, Choice>,
): Command {
  return {
    ...entry,
    run: async (args) => {
      const { values, argument } = parseCommandLine(entry, args)
      await entry.run(values as Values<Of>, argument as ArgumentOf<Of, Choice>)
    },
  }
}

interface CommandLine {
  readonly values: Readonly<Record<string, unknown>>
  readonly argument: string | undefined
}

/** @throws UsageError */
function parseCommandLine(command: Omit<Command, 'run'>, args: readonly string[]): CommandLine {
  const { options } = command
  const types = Object.entries(options).map(
    ([option, { value }]) => [option, { type: value === undefined ? 'boolean' : 'string' }] as const,
  )
  const { tokens, values, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(types),
    // Errors are reported in our own words.
    strict: false,
    tokens: true,
  })
  for (const token of tokens) if (token.kind === 'option') requireOption(options, token)
  requireArgument(command, positionals, Object.keys(values))
  const parsed = Object.entries(values).map(
    ([name, text]) => [name, readValue(name, options[name], text)] as const,
  )
  const problems = [
    ...parsed.flatMap(([, { problem }]) => problem ?? []),
    ...listMisplaced(command, Object.keys(values)),
  ]
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  const given = new Map(parsed.map(([name, { value }]) => [name, value]))
  const complete = Object.entries(options).map(([name, option]) => {
    const absent = option.value === undefined ? false : option.default
    return [
      name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      given.get(name) ?? absent,
    ] as const
  })
  return { values: Object.fromEntries(complete), argument: positionals[0] }
}

/** @throws UsageError */
function requireArgument(
  { name, argument, choices = [], options }: Omit<Command, 'run'>,
  [first, second]: readonly string[],
  given: readonly string[],
): void {
  const replacing = Object.keys(options).filter((option) => options[option]?.replacesArgument)
  const replaced = replacing.find((option) => given.includes(option))
  if (argument === undefined || replaced !== undefined) {
    if (first === undefined) return
    const taker = replaced === undefined ? name : `--${replaced}`
    throw new UsageError(`${taker} takes no argument, and not ${JSON.stringify(first)}`)
  }
  if (second !== undefined)
    throw new UsageError(`${name} takes one argument, and not ${JSON.stringify(second)} too`)
  if (first !== undefined && choices.includes(first)) return
  const allowed = [...choices, ...replacing.map((option) => `--${option}`)]
  throw new UsageError(`${name} needs ${argument}: ${toList(allowed, 'or')}`)
}

/** A value as its form reads it. The text is not repeated, because it may be a secret in the wrong place. */
function readValue(
  name: string,
  option: Option | undefined,
  text: unknown,
): { readonly value?: unknown; readonly problem?: string } {
  if (option?.form === undefined || typeof text !== 'string') return { value: text }
  try {
    const value = option.form.parse(text)
    return value === undefined ? { problem: `--${name} takes ${option.form.allowed}` } : { value }
  } catch (error) {
    if (error instanceof UsageError) return { problem: `--${name}: ${error.message}` }
    throw error
  }
}

/** Options that are missing, or that stand beside others or alone where they cannot. */
function listMisplaced({ name, options }: Omit<Command, 'run'>, given: readonly string[]): readonly string[] {
  const isGiven = (other: string): boolean => given.includes(other)
  const missing = Object.entries(options)
    .filter(
      ([option, { isRequired, excludes = [] }]) => isRequired && !isGiven(option) && !excludes.some(isGiven),
    )
    .map(([option]) => `--${option}`)
  return [
    ...(missing.length === 0 ? [] : [`${name} needs ${toList(missing)}`]),
    ...given.flatMap((option) => {
      const { needs, excludes = [] } = options[option] ?? {}
      return [
        ...(needs === undefined || isGiven(needs) ? [] : [`--${option} needs --${needs}`]),
        ...excludes.filter(isGiven).map((other) => `--${other} takes no --${option}`),
      ]
    }),
  ]
}

/** Such as `--url, --key-env and --to`. */
function toList(names: readonly string[], word: 'and' | 'or' = 'and'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1) ?? ''}`
}

interface OptionToken {
  readonly name: string
  /** As it was typed. */
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

/** @throws UsageError for an option that the command does not have, or whose value is missing or too much */
function requireOption(options: Options, { name, rawName, value, inlineValue }: OptionToken): void {
  const option = Object.hasOwn(options, name) ? options[name] : undefined
  if (option === undefined || rawName !== `--${name}`)
    throw new UsageError(`there is no option ${rawName}${renderHint(name, Object.keys(options), '--')}`)
  if (option.value === undefined) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`)
    return
  }
  const isNextOption = inlineValue === false && value !== undefined && /^-./.test(value)
  if (value === undefined || isNextOption)
    throw new UsageError(`${rawName} needs a value: ${rawName} ${option.value}`)
}

/** The name that was probably meant, for the end of a message. */
export function renderHint(typed: string, names: readonly string[], prefix = ''): string {
  const nearest = findNearest(typed, names)
  return nearest === undefined ? '' : `; did you mean ${prefix}${nearest}?`
}

/** The usage of all commands. */
export function renderUsage(commands: readonly Command[]): string {
  const entries = commands.map((command) => renderEntry(`vitrine ${command.name}`, command))
  return `vitrine: a read-only public API in front of a product's MySQL database

${entries.join('')}
${toLine('  vitrine help COMMAND', 'print the usage of one command; so does -h or --help behind it')}${toLine('  vitrine --version', 'print the version')}
The environment and the mapping file configure all commands but verify and pull, which know an address and a key only;
see README.md.
`
}

/** The usage of one command. @param invocation what stands before its arguments, such as `vitrine pull` */
export function renderCommandUsage(invocation: string, command: Command): string {
  return `usage:\n${renderEntry(invocation, command)}${toLine('    --help, -h', 'print this text')}${toLine('    --version', 'print the version')}`
}

function renderEntry(invocation: string, { argument = '', summary, options }: Command): string {
  const lines = Object.entries(options).map(([option, { value = '', help }]) =>
    toLine(`    --${option} ${value}`, help),
  )
  return `${toLine(`  ${invocation} ${argument}`, summary)}${lines.join('')}`
}

function toLine(left: string, text: string): string {
  const width = 27
  return `${left.padEnd(width)}${text.replaceAll('\n', `\n${' '.repeat(width)}`)}\n`
}

import { parseArgs } from 'node:util'
import { findNearest } from '../client/nearest.js'
import { UsageError } from '../errors.js'

interface Option {
  /** The placeholder of its value in the usage; a flag has none. */
  readonly value?: string
  readonly help: string
}

type Options = Readonly<Record<string, Option>>

/** The values of the options: a text, or true for a flag. */
type Values<Of extends Options> = {
  readonly [Name in keyof Of]?: Of[Name] extends { readonly value: string } ? string : boolean
}

interface CommandEntry<Of extends Options> {
  readonly name: string
  /** The placeholder of its argument in the usage. */
  readonly argument?: string
  /** What the argument can be, for the completion of shells. */
  readonly choices?: readonly string[]
  readonly summary: string
  readonly options: Of
  readonly run: (values: Values<Of>, positionals: readonly string[]) => Promise<void>
}

/** A command of the table, with its values still to be parsed. */
export interface Command extends Omit<CommandEntry<Options>, 'run'> {
  readonly run: (args: readonly string[]) => Promise<void>
}

/**
 * A command whose `run` receives the values of its options with their types.
 *
 * The command throws UsageError for options that it does not have, or that lack a value.
 */
export function defineCommand<const Of extends Options>(entry: CommandEntry<Of>): Command {
  return {
    ...entry,
    run: async (args) => {
      const { values, positionals } = parseCommandLine(entry, args)
      await entry.run(values as Values<Of>, positionals)
    },
  }
}

interface CommandLine {
  readonly values: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
}

/** @throws UsageError */
function parseCommandLine(
  { name, argument, options }: Pick<Command, 'name' | 'argument' | 'options'>,
  args: readonly string[],
): CommandLine {
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
  const [other] = positionals
  if (argument === undefined && other !== undefined)
    throw new UsageError(`${name} takes no argument, such as ${JSON.stringify(other)}`)
  return { values, positionals }
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

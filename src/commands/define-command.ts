import { parseArgs } from 'node:util'
import { UsageError, toErrorText } from '../errors.js'

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
  const options = Object.fromEntries(
    Object.entries(entry.options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  return {
    ...entry,
    run: async (args) => {
      const { values, positionals } = parse(() =>
        parseArgs({ args: [...args], options, allowPositionals: entry.argument !== undefined }),
      )
      await entry.run(values as Values<Of>, positionals)
    },
  }
}

function parse<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw new UsageError(toErrorText(error))
  }
}

/** The usage of all commands. */
export function renderUsage(commands: readonly Command[]): string {
  const entries = commands.map((command) => renderEntry(`vitrine ${command.name}`, command))
  return `vitrine: a read-only public API in front of a product's MySQL database

${entries.join('')}
The environment and the mapping file configure all commands but verify and pull, which know an address and a key only;
see README.md.
`
}

/** The usage of one command. @param invocation what stands before its arguments, such as `vitrine pull` */
export function renderCommandUsage(invocation: string, command: Command): string {
  return `usage:\n${renderEntry(invocation, command)}`
}

function renderEntry(invocation: string, { argument = '', summary, options }: Command): string {
  const width = 27
  const toLine = (left: string, text: string): string =>
    `${left.padEnd(width)}${text.replaceAll('\n', `\n${' '.repeat(width)}`)}\n`
  const lines = [
    toLine(`  ${invocation} ${argument}`, summary),
    ...Object.entries(options).map(([option, { value = '', help }]) =>
      toLine(`    --${option} ${value}`, help),
    ),
  ]
  return lines.join('')
}

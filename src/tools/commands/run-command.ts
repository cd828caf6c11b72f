import { version } from '../../client/headers.js'
import {
  AuditError,
  ConfigError,
  isClosedPipe,
  UsageError,
  toErrorText,
  toIssueText,
  unwrapProblem,
} from '../../errors.js'
import { escapeUnprintable } from '../../client/printable.js'
import type { Command } from './define-command.js'

/** Exit codes: 64 for a command line with an error, 69 for a service that is not there, 78 for configuration, as in sysexits.h. */
export const exitCodes = { usage: 64, unavailable: 69, configuration: 78, failure: 1 } as const

/** The environment. */
export type Variables = Readonly<Record<string, string | undefined>>

interface CommandLine {
  /** What error messages begin with. */
  readonly program: string
  /** What stands before the arguments, such as `vitrine pull`. */
  readonly invocation: string
  readonly command: Command
  readonly args: readonly string[]
}

/** Runs a command, or prints its usage for `--help` or `-h`, or the version for `--version`. Errors are printed, and set the exit status. */
export async function runCommand({ program, invocation, command, args }: CommandLine): Promise<void> {
  let reported: unknown
  const report = (error: unknown): void => {
    // The command can have the error of stdout too.
    if (error !== reported) reportError(error, { program, invocation })
    reported = error
  }
  process.stdout.on('error', (error) => {
    if (!isClosedPipe(error)) report(error)
  })
  if (args.some(isHelp)) {
    const usage = renderUsage(invocation, command)
    process.stdout.write(`usage:\n${usage}${toUsageLine('    --help, -h', 'print this text')}`)
    return
  }
  if (args.includes('--version')) {
    process.stdout.write(`${version}\n`)
    return
  }
  try {
    await command.run(args)
  } catch (error) {
    report(error)
  }
}

/** The usage of a command. @param invocation what stands before its arguments, such as `vitrine pull` */
export function renderUsage(invocation: string, { argument = '', summary, options }: Command): string {
  const lines = Object.entries(options).map(([option, { value = '', help }]) =>
    toUsageLine(`    --${option} ${value}`, help),
  )
  return `${toUsageLine(`  ${invocation} ${argument}`, summary)}${lines.join('')}`
}

/** A line of a usage, in two columns. */
export function toUsageLine(left: string, text: string): string {
  const width = 27
  return `${left.padEnd(width)}${text.replaceAll('\n', `\n${' '.repeat(width)}`)}\n`
}

/** Whether an argument asks for the usage. */
export function isHelp(arg: string): boolean {
  return arg === '--help' || arg === '-h'
}

/** Prints an error without a stack, every issue on a line of its own, and sets the exit status. */
export function reportError(
  error: unknown,
  { program, invocation }: Pick<CommandLine, 'program' | 'invocation'>,
): void {
  // Names and values of the database, and of files, are among these.
  const lines = toText(error, invocation).split('\n').map(escapeUnprintable)
  process.stderr.write(`${program}: ${lines.join('\n')}`)
  process.exitCode = toExitCode(error)
}

/** The exit status of a command that throws this. */
export function toExitCode(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage
  return error instanceof ConfigError ? exitCodes.configuration : exitCodes.failure
}

function toText(error: unknown, invocation: string): string {
  if (error instanceof UsageError) return `${error.message}\nSee ${invocation} --help.\n`
  if (error instanceof ConfigError)
    return `The configuration cannot be used:\n${indent(error.issues.map(toIssueText))}`
  const cause = unwrapProblem(error)
  if (cause instanceof AuditError) return `The database is not as it must be:\n${indent(cause.lines)}`
  return `${toErrorText(cause)}\n`
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join('')
}

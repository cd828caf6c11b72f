import { open } from 'node:fs/promises'
import { toErrorText, UsageError } from '../../errors.js'
import type { Variables } from './command.js'

/** Whether text on stdout is coloured: at a terminal, unless its user wants none. */
export function hasColour(variables: Variables): boolean {
  return process.stdout.isTTY && (variables['NO_COLOR'] ?? '') === ''
}

/** Only the owner can read a report of `check`: it shows what the database user may do. */
const privateMode = 0o600

interface ReportFile {
  /** The option that names the file. */
  readonly option: string
  readonly file: string
  readonly text: string
  readonly isPrivate?: boolean
}

/** Writes a report to the file of an option. @throws UsageError where the file cannot be written */
export async function writeReport({ option, file, text, isPrivate = false }: ReportFile): Promise<void> {
  try {
    const handle = await open(file, 'w', isPrivate ? privateMode : undefined)
    try {
      // A file that exists keeps its mode otherwise; a device must.
      if (isPrivate && (await handle.stat()).isFile()) await handle.chmod(privateMode)
      await handle.writeFile(text)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new UsageError(`${option} ${JSON.stringify(file)} cannot be written: ${toErrorText(error)}`)
  }
}

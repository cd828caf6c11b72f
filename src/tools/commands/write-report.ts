import { open } from 'node:fs/promises'
import type { Variables } from './command.js'

/** Whether text on stdout is coloured: at a terminal, unless its user wants none. */
export function hasColour(variables: Variables): boolean {
  return process.stdout.isTTY && (variables['NO_COLOR'] ?? '') === ''
}

/** Only the owner can read a report of `check`: it shows what the database user may do. */
export const privateMode = 0o600

/** Writes a report to a file, which the form of its option has found writable. */
export async function writeReport(file: string, text: string, mode?: number): Promise<void> {
  const handle = await open(file, 'w', mode)
  try {
    // A file that exists keeps its mode otherwise; a device must.
    if (mode !== undefined && (await handle.stat()).isFile()) await handle.chmod(mode)
    await handle.writeFile(text)
  } finally {
    await handle.close()
  }
}

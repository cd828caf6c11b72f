import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Starts a file of this folder as a process of its own, with a channel for messages. */
export function startScript(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const file = fileURLToPath(new URL(name, import.meta.url))
  return spawn(process.execPath, ['--import', 'jiti/register', file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
}

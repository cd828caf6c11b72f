import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** The environment of this run without what `npm test` itself put into it. */
export const clean: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') && !name.startsWith('VITEST')),
)

/** Starts a command, waits for a text in what it prints, looks, and ends it as Ctrl-C would. */
export async function during(
  command: string,
  env: Readonly<Record<string, string>>,
  pattern: RegExp,
  look: (found: string) => Promise<void>,
): Promise<void> {
  const child = spawn('sh', ['-c', `exec ${command}`], {
    env: { ...clean, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL')
  })
  const exited = once(child, 'exit')
  const found = await waitForText(child, pattern)
  try {
    await look(found)
  } finally {
    // A terminal sends it to the whole group.
    process.kill(-child.pid!, 'SIGINT')
  }
  await exited
}

/**
 * Waits until a process has printed a text, and returns the first group of the pattern. The limit of the test is the only
 * one: how long a start takes depends on the machine.
 *
 * @throws with what was printed, if the process ends before.
 */
export function waitForText(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const read = (chunk: Buffer): void => {
      text += chunk.toString()
      const match = pattern.exec(text)?.[1]
      if (match !== undefined) resolve(match)
    }
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', read)
    child.once('close', () => {
      reject(new Error(`it ended without ${String(pattern)}:\n${text}`))
    })
  })
}

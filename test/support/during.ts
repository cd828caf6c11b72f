import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'

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
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const exited = once(child, 'exit')
  try {
    await expect.poll(() => pattern.exec(text)?.[1], { timeout: 100_000 }).toBeDefined()
    await look(pattern.exec(text)?.[1] ?? '')
  } finally {
    // A terminal sends it to the whole group.
    process.kill(-child.pid!, 'SIGINT')
  }
  await exited
}

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
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
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

/** The next message of a process. @throws Error when it ends instead. */
export async function receive(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      reject(new Error('A process of the benchmark has ended'))
    }
    child.once('exit', fail)
    child.once('message', (message) => {
      child.off('exit', fail)
      resolve(message)
    })
  })
}

/** Tells a process that obeys what to do, and waits for what it saw. */
export async function order(child: ChildProcess, what: object): Promise<unknown> {
  child.send(what)
  return receive(child)
}

/** Within such a process: says that it is ready, and does what it is told until nobody is there to tell it. */
export function obey(run: (order: never) => Promise<object>): void {
  process.on('message', (what) => {
    run(what as never).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`)
        process.exit(1)
      },
    )
  })
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}

/** Ends a process that has nothing to put in order. */
export async function endScript(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

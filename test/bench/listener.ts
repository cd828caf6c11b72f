import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A process of this folder that listens on a port of this machine. */
export interface Listener {
  readonly pid: number
  readonly port: number
  readonly stop: () => Promise<void>
}

/** Starts a file of this folder, and resolves when it has sent its port. It ends when this process does. */
export async function startListener(
  name: string,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Record<string, string> },
): Promise<Listener> {
  const file = fileURLToPath(new URL(name, import.meta.url))
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const failed = exited.then((): never => {
    throw new Error(`${name} has ended before it listened`)
  })
  const [port] = (await Promise.race([once(child, 'message'), failed])) as [number]
  failed.catch(() => undefined)
  return {
    pid: child.pid!,
    port,
    stop: async () => {
      child.disconnect()
      await exited
    },
  }
}

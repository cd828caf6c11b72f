import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inRepository } from './product.js'

/** Something to be undone when this process ends, by whatever end. */
export type Task =
  | { readonly do: 'kill'; readonly pid: number }
  | { readonly do: 'remove'; readonly path: string }
  | { readonly do: 'command'; readonly file: string; readonly args: readonly string[] }
  | {
      readonly do: 'sql'
      readonly url: string
      readonly statements: readonly string[]
      /** Its sessions are ended if a transaction that they left open holds what is to be dropped. */
      readonly database?: string
    }

/** Undoes tasks, the last first, when it is asked to or when this process is gone. */
export interface Janitor {
  /** Returns what makes the task void: a process that has ended may have left its id to another one. */
  readonly add: (task: Task) => () => void
  /** Resolves when all is undone. */
  readonly finish: () => Promise<void>
}

/** A process of its own, so that a crash, a closed terminal or `kill -9` leaves nothing behind either. */
export function startJanitor(): Janitor {
  const child = spawn(process.execPath, [fileURLToPath(inRepository('test/product/janitor.mjs'))], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  })
  const exited = once(child, 'exit')
  // It must not keep this process alive; its input ends when this process does.
  child.unref()
  let count = 0
  const send = (line: object): void => {
    // A process that the janitor has just ended is reported after this.
    if (child.stdin.writable) child.stdin.write(`${JSON.stringify(line)}\n`)
  }
  return {
    add: (task) => {
      const id = (count += 1)
      send({ id, ...task })
      return () => {
        send({ forget: id })
      }
    },
    finish: async () => {
      child.ref()
      child.stdin.end()
      await exited
    },
  }
}

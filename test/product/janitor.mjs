// Cleans up after its parent, however that ends: it reads what is to be undone, a JSON line each, from its
// standard input, and does it, the last first, once that input is closed. Plain JavaScript, so that it runs
// from the sources as well as from the built files.
import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'

const undo = {
  kill: ({ pid }) => {
    // A program that was started as a script has children, in its process group.
    for (const target of [-pid, pid])
      try {
        process.kill(target, 'SIGKILL')
      } catch {
        // It has ended already, or leads no group.
      }
  },
  remove: ({ path }) => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  command: ({ file, args }) => {
    spawnSync(file, args, { stdio: 'ignore', timeout: 30_000 })
  },
  sql: async ({ url, statements, database }) => {
    const { createConnection } = await import('mysql2/promise')
    const connection = await createConnection({ uri: url, connectTimeout: 5000 })
    try {
      await connection.query('SET lock_wait_timeout = 3')
      for (const sql of statements)
        await connection.query({ sql, timeout: 30_000 }).catch(async (error) => {
          if (error.code !== 'ER_LOCK_WAIT_TIMEOUT') throw error
          const [sessions] = await connection.query('SHOW PROCESSLIST')
          for (const { Id, db } of sessions)
            // It may have ended already.
            if (db === database) await connection.query(`KILL ${Id}`).catch(() => undefined)
          await connection.query({ sql, timeout: 30_000 })
        })
    } finally {
      // An open connection keeps this process alive, also after a statement that failed.
      connection.destroy()
    }
  },
}

// A terminal sends its signals to the janitor too; its work begins when the parent is gone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)

const tasks = new Map()
for await (const line of createInterface({ input: process.stdin })) {
  const { id, forget, ...task } = JSON.parse(line)
  if (forget === undefined) tasks.set(id, task)
  else tasks.delete(forget)
}
for (const task of [...tasks.values()].reverse()) {
  await Promise.resolve(undo[task.do](task)).catch(() => undefined)
}

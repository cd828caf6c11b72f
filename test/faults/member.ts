import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Janitor } from '../product/janitor.js'
import { findFreePort } from '../product/local-server.js'
import type { Program } from '../product/local-server.js'
import { createPassword, runStatements } from '../product/server.js'
import { waitFor } from './cluster.js'
import type { Node } from './cluster.js'

/** Servers of this machine that share one account of an administrator. */
export interface MemberMaker {
  readonly password: string
  readonly folder: string
  /** The folder as the servers see it. */
  readonly inner: string
  /** Prepares a member and resolves when it answers. */
  readonly start: (input: MemberInput) => Promise<Node>
}

interface MemberInput {
  readonly id: number
  /** Statements of its first start. */
  readonly init: readonly string[]
  /** Fills its data directory, where it is not filled otherwise. */
  readonly fill?: (data: string) => readonly [string, ...string[]]
  readonly options: readonly string[]
  /** Options of the first start alone. */
  readonly firstOptions?: readonly string[]
  readonly afterRestart?: (adminUrl: string) => Promise<void>
}

/** Makes members of a cluster in one folder; the janitor removes everything. */
export function createMemberMaker({ file, root }: Program, janitor: Janitor): MemberMaker {
  const folder = mkdtempSync(join(root, root === '' ? tmpdir() : '/tmp', 'vitrine-cluster-'))
  chmodSync(folder, 0o700)
  janitor.add({ do: 'remove', path: folder })
  const inner = folder.slice(root.length)
  const password = createPassword()
  const env = {
    ...process.env,
    TMPDIR: inner,
    PATH: `${join(process.cwd(), 'test/faults')}:${process.env['PATH']!}`,
  }
  const toArgs = (command: readonly string[]): [string, ...string[]] =>
    (root === '' ? command : ['chroot', root, ...command]) as [string, ...string[]]
  const launch = (command: readonly string[], log: string): ChildProcess => {
    const output = openSync(log, 'a')
    const [program, ...args] = toArgs(command)
    const child = spawn(program, args, { stdio: ['ignore', output, output], detached: true, env })
    closeSync(output)
    if (child.pid !== undefined) child.once('exit', janitor.add({ do: 'kill', pid: child.pid }))
    child.unref()
    return child
  }
  const start = async ({
    id,
    init,
    fill,
    options,
    firstOptions = [],
    afterRestart,
  }: MemberInput): Promise<Node> => {
    const [data, log] = [join(inner, `data${id}`), join(folder, `${id}.log`)]
    if (fill === undefined) mkdirSync(join(root, data))
    else await once(launch(fill(data), log), 'exit')
    const initFile = join(folder, `init${id}.sql`)
    writeFileSync(initFile, init.map((statement) => `${statement};\n`).join(''))
    const port = await findFreePort()
    const adminUrl = `mysql://vitrine_admin:${password}@127.0.0.1:${port}/`
    const command = [
      file,
      '--no-defaults',
      '--user=root',
      `--datadir=${data}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(inner, `sock${id}`)}`,
      `--pid-file=${join(inner, `pid${id}`)}`,
      `--init-file=${join(inner, `init${id}.sql`)}`,
      '--innodb-buffer-pool-size=64M',
      '--innodb-flush-log-at-trx-commit=0',
      ...options.map((option) => option.replaceAll('{port}', String(port))),
    ]
    const begin = async (more: readonly string[]): Promise<ChildProcess> => {
      const child = launch([...command, ...more], log)
      await waitFor(`member ${id} to answer`, async () => {
        if (child.exitCode !== null) throw new Error(readFileSync(log, 'utf8').slice(-4000))
        return runStatements(adminUrl, ['SELECT 1']).then(
          () => true,
          () => false,
        )
      })
      writeFileSync(initFile, '')
      return child
    }
    let child = await begin(firstOptions)
    return {
      adminUrl,
      port,
      name: `127.0.0.1:${port}`,
      origin: `member ${id}`,
      signal: (signal) => {
        child.kill(signal)
      },
      restart: async () => {
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
        child = await begin([])
        await afterRestart?.(adminUrl)
      },
    }
  }
  return { password, folder, inner, start }
}

/** Statements that make the account of the administrator. */
export function toAccountStatements(password: string): readonly string[] {
  return ['127.0.0.1', 'localhost'].flatMap((host) => [
    `CREATE USER 'vitrine_admin'@'${host}' IDENTIFIED BY '${password}'`,
    `GRANT ALL ON *.* TO 'vitrine_admin'@'${host}' WITH GRANT OPTION`,
  ])
}

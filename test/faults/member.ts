import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Janitor } from '../product/janitor.js'
import type { Program } from '../product/local-server.js'
import { createPassword, runStatements } from '../product/server.js'
import { waitFor } from './cluster.js'
import type { Node } from './cluster.js'
import { makeMemberNetwork } from './member-network.js'
import type { MemberNetwork } from './member-network.js'

/** Servers of this machine that share one account of an administrator and a network. */
export interface MemberMaker {
  readonly password: string
  readonly network: MemberNetwork
  /** Prepares a member and resolves when it answers. */
  readonly start: (input: MemberInput) => Promise<Member>
}

/** A member of a cluster. */
export interface Member extends Node {
  readonly id: number
  /** Its data directory, which holds its whole state. */
  readonly data: string
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

/** The ids of the members of a cluster. */
export const memberIds = [1, 2, 3] as const

/** The port of every member; each has an address of its own. */
const port = 3306

/** Makes members of a cluster in one folder; the janitor removes everything. */
export function createMemberMaker({ file, root }: Program, janitor: Janitor): MemberMaker {
  const folder = mkdtempSync(join(root, root === '' ? tmpdir() : '/tmp', 'vitrine-cluster-'))
  chmodSync(folder, 0o700)
  janitor.add({ do: 'remove', path: folder })
  const network = makeMemberNetwork(memberIds, janitor)
  // As the servers see it.
  const inner = folder.slice(root.length)
  const password = createPassword()
  const env = {
    ...process.env,
    TMPDIR: inner,
    PATH: `${join(process.cwd(), 'test/faults')}:${process.env['PATH']!}`,
  }
  const launch = (id: number, command: readonly string[], log: string): ChildProcess => {
    const output = openSync(log, 'a')
    const inRoot = root === '' ? command : ['chroot', root, ...command]
    const [program, ...args] = [...network.toCommand(id), ...inRoot] as [string, ...string[]]
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
  }: MemberInput): Promise<Member> => {
    const [data, log] = [join(inner, `data${id}`), join(folder, `${id}.log`)]
    if (fill === undefined) mkdirSync(join(root, data))
    else await once(launch(id, fill(data), log), 'exit')
    const initFile = join(folder, `init${id}.sql`)
    writeFileSync(initFile, init.map((statement) => `${statement};\n`).join(''))
    const name = `${network.toAddress(id)}:${port}`
    const adminUrl = `mysql://vitrine_admin:${password}@${name}/`
    const command = [
      file,
      '--no-defaults',
      '--user=root',
      `--datadir=${data}`,
      `--port=${port}`,
      '--bind-address=0.0.0.0',
      '--skip-name-resolve',
      `--socket=${join(inner, `sock${id}`)}`,
      `--pid-file=${join(inner, `pid${id}`)}`,
      `--init-file=${join(inner, `init${id}.sql`)}`,
      '--innodb-buffer-pool-size=64M',
      // What is committed survives a kill.
      '--innodb-flush-log-at-trx-commit=2',
      ...options,
    ]
    const begin = async (more: readonly string[]): Promise<ChildProcess> => {
      const child = launch(id, [...command, ...more], log)
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
      id,
      data: join(root, data),
      adminUrl,
      port,
      name,
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
  return { password, network, start }
}

/** Statements that make the account of the administrator. */
export function toAccountStatements(password: string): readonly string[] {
  return [
    `CREATE USER 'vitrine_admin'@'%' IDENTIFIED BY '${password}'`,
    `GRANT ALL ON *.* TO 'vitrine_admin'@'%' WITH GRANT OPTION`,
  ]
}

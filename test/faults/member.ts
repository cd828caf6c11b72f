import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Janitor } from '../product/janitor.js'
import type { Program } from '../product/local-server.js'
import { createPassword, runStatements } from '../product/server.js'
import type { Server } from '../product/server.js'
import { makeMemberNetwork } from './member-network.js'
import type { MemberNetwork } from './member-network.js'
import { waitFor } from './wait-for.js'

/** A server of a cluster, which has an address of its own. */
export interface Member extends Server {
  readonly id: number
  /** `host:port`. */
  readonly name: string
  readonly isMariaDb: boolean
}

/** Servers of this machine that share one account of an administrator and a network. */
export interface Members {
  readonly network: MemberNetwork
  readonly password: string
  /** Starts one, with an account of the administrator, and resolves when it answers. */
  readonly start: (input: MemberInput) => Promise<Member>
}

interface MemberInput {
  readonly id: number
  /** The statement after which a session changes no other server; undefined for a node that copies everything from another. */
  readonly local?: string | undefined
  /** Statements of its first start, which no other server repeats. */
  readonly init?: readonly string[]
  readonly options: readonly string[]
}

/** The ids of the members of a cluster. */
export const memberIds = [1, 2, 3] as const

const port = 3306

/** Makes servers in one folder; the janitor removes everything. */
export function createMembers(program: Program, janitor: Janitor): Members {
  const { file, root, isMariaDb } = program
  const folder = mkdtempSync(join(root, root === '' ? tmpdir() : '/tmp', 'vitrine-cluster-'))
  chmodSync(folder, 0o700)
  janitor.add({ do: 'remove', path: folder })
  const network = makeMemberNetwork(memberIds, janitor)
  // As the servers see it.
  const inner = folder.slice(root.length)
  const password = createPassword()
  const launch = (id: number, command: readonly string[]): ChildProcess => {
    const output = openSync(toLog(id), 'a')
    const inRoot = root === '' ? command : ['chroot', root, ...command]
    const [name, ...args] = [...network.toCommand(id), ...inRoot] as [string, ...string[]]
    const env = { ...process.env, TMPDIR: inner, PATH: `${resolve('test/faults')}:${process.env['PATH']!}` }
    const child = spawn(name, args, { stdio: ['ignore', output, output], detached: true, env })
    closeSync(output)
    if (child.pid !== undefined) child.once('exit', janitor.add({ do: 'kill', pid: child.pid }))
    child.unref()
    return child
  }
  const toLog = (id: number): string => join(folder, `${id}.log`)
  const start = async ({ id, local, init = [], options }: MemberInput): Promise<Member> => {
    const data = `--datadir=${join(inner, `data${id}`)}`
    const fill = isMariaDb
      ? [
          'mariadb-install-db',
          '--no-defaults',
          data,
          '--auth-root-authentication-method=normal',
          '--user=root',
        ]
      : [file, '--no-defaults', '--initialize-insecure', '--user=root', data]
    if (local === undefined) mkdirSync(join(folder, `data${id}`))
    else await once(launch(id, fill), 'exit')
    const statements = local === undefined ? [] : [local, ...toAccountStatements(password), ...init]
    writeFileSync(join(folder, `init${id}.sql`), statements.map((one) => `${one};\n`).join(''))
    const child = launch(id, [
      file,
      '--no-defaults',
      '--user=root',
      data,
      `--port=${port}`,
      '--bind-address=0.0.0.0',
      '--skip-name-resolve',
      `--socket=${join(inner, `sock${id}`)}`,
      `--pid-file=${join(inner, `pid${id}`)}`,
      `--init-file=${join(inner, `init${id}.sql`)}`,
      `--server-id=${id}`,
      '--event-scheduler=ON',
      '--innodb-buffer-pool-size=64M',
      '--innodb-flush-log-at-trx-commit=0',
      '--sync-binlog=0',
      ...(isMariaDb ? ['--binlog-format=ROW'] : ['--mysqlx=OFF', '--innodb-redo-log-capacity=16M']),
      ...options,
    ])
    const name = `${network.toAddress(id)}:${port}`
    const adminUrl = `mysql://vitrine_admin:${password}@${name}/`
    await waitFor(`member ${id} to answer`, async () => {
      if (child.exitCode !== null) throw new Error(readFileSync(toLog(id), 'utf8').slice(-4000))
      return runStatements(adminUrl, ['SELECT 1']).then(
        () => true,
        () => false,
      )
    })
    return { id, adminUrl, name, isMariaDb, origin: `member ${id}` }
  }
  return { password, network, start }
}

function toAccountStatements(password: string): readonly string[] {
  return [
    `CREATE USER 'vitrine_admin'@'%' IDENTIFIED BY '${password}'`,
    `GRANT ALL ON *.* TO 'vitrine_admin'@'%' WITH GRANT OPTION`,
  ]
}

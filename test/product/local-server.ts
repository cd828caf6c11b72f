import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Janitor } from './janitor.js'
import { createPassword, runStatements } from './server.js'
import type { Server } from './server.js'

/** A server program of this machine. */
export interface Program {
  readonly file: string
  /** The system that it was installed into, such as the one of `.ci/mysql.sh`; empty for this machine's own. */
  readonly root: string
  readonly version: string
  readonly isMariaDb: boolean
}

/** The first server program on the path, or where Debian and Homebrew put it. @param engine the one to look for; either without it */
export function findServerProgram(engine?: 'mysql' | 'mariadb'): Program | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
    '/usr/libexec',
  ]
  const files = ['mysqld', 'mariadbd'].flatMap((name) => folders.map((folder) => join(folder, name)))
  const programs = files.filter(existsSync).map((file) => toProgram(file, ''))
  // `mysqld` can be a name of MariaDB.
  return engine === undefined
    ? programs[0]
    : programs.find(({ isMariaDb }) => isMariaDb === (engine === 'mariadb'))
}

/** The server program of a system that lies in a folder; running it there wants root. */
export function findProgramIn(root: string): Program | undefined {
  const file = '/usr/sbin/mysqld'
  return process.getuid?.() === 0 && existsSync(join(root, file)) ? toProgram(file, root) : undefined
}

function toProgram(file: string, root: string): Program {
  const [command, ...args] = toCommand({ file, root }, ['--no-defaults', '--version'])
  const version = execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
  return { file, root, version, isMariaDb: /mariadb/i.test(version) }
}

function toCommand(
  { file, root }: Pick<Program, 'file' | 'root'>,
  args: readonly string[],
): [string, ...string[]] {
  return root === '' ? [file, ...args] : ['chroot', root, file, ...args]
}

/** The distribution's MariaDB, as root on Debian or Ubuntu. Returns whether it could be installed. */
export function installServerProgram(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  const apt = (...args: readonly string[]): void => {
    execFileSync('apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
  process.stderr.write('Installing mariadb-server-core …\n')
  try {
    apt('update')
    // The client package holds a tool that the server's own installation script calls.
    apt('install', '-y', '--no-install-recommends', 'mariadb-server-core', 'mariadb-client-core')
    return true
  } catch {
    return false
  }
}

/** A server of this machine that can be ended, frozen and started again. */
export interface LocalServer extends Server {
  readonly port: number
  readonly signal: (signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT') => void
  /** Starts it again after it ended, with its data and on its port; resolves when it answers. */
  readonly restart: () => Promise<void>
}

interface LocalOptions {
  /** Options of the server beside the usual ones, by its port. */
  readonly options?: (port: number) => readonly string[]
  /** Of the administrator. */
  readonly password?: string
  /** Whether it gets its data and its accounts from another server of its cluster. */
  readonly joins?: boolean
}

/** Starts a server on a free port in a temporary directory; the janitor removes both. */
export async function startLocalServer(
  program: Program,
  janitor: Pick<Janitor, 'add'>,
  { options = () => ['--skip-log-bin'], password = createPassword(), joins = false }: LocalOptions = {},
): Promise<LocalServer> {
  const { root } = program
  const folder = mkdtempSync(join(root, root === '' ? tmpdir() : '/tmp', 'vitrine-'))
  chmodSync(folder, 0o700)
  janitor.add({ do: 'remove', path: folder })
  // As the server sees it.
  const inner = folder.slice(root.length)
  const data = join(inner, 'data')
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : []
  // A server deletes the temporary tables in its folder when it starts, whichever server they belong to.
  const env = { ...process.env, TMPDIR: inner }
  if (joins) mkdirSync(join(folder, 'data'))
  else await initialise(program, data, { asRoot, env, janitor })
  const initFile = join(folder, 'init.sql')
  writeFileSync(initFile, joins ? '' : toInitSql(password), { mode: 0o600 })
  const port = await findFreePort()
  const adminUrl = `mysql://vitrine_admin:${password}@127.0.0.1:${port}/`
  const [command, ...args] = toCommand(program, [
    '--no-defaults',
    ...asRoot,
    ...toArguments(program, { folder: inner, data, port }),
    ...options(port),
  ])
  const start = async (): Promise<ChildProcess> => {
    const log = join(folder, 'server.log')
    const output = openSync(log, 'a')
    const child = spawn(command, args, { stdio: ['ignore', output, output], detached: true, env })
    closeSync(output)
    if (child.pid !== undefined) child.once('exit', janitor.add({ do: 'kill', pid: child.pid }))
    child.unref()
    await waitFor(adminUrl, () => (child.exitCode === null ? undefined : readFileSync(log, 'utf8')))
    return child
  }
  let child = await start()
  return {
    adminUrl,
    origin: `${toName(program)} of this machine, on port ${port}`,
    port,
    signal: (signal) => {
      child.kill(signal)
    },
    restart: async () => {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      // Its accounts are there by now.
      writeFileSync(initFile, '')
      child = await start()
    },
  }
}

function toName({ isMariaDb, version }: Program): string {
  return `${isMariaDb ? 'MariaDB' : 'MySQL'} ${/\d+\.\d+\.\d+/.exec(version)?.[0] ?? ''}`
}

interface Initialisation {
  readonly asRoot: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly janitor: Pick<Janitor, 'add'>
}

/** Fills the data directory. @throws with what the program printed. */
async function initialise(
  program: Program,
  data: string,
  { asRoot, env, janitor }: Initialisation,
): Promise<void> {
  const [command, ...args] = program.isMariaDb
    ? toCommand({ file: 'mariadb-install-db', root: program.root }, [
        '--no-defaults',
        `--datadir=${data}`,
        '--auth-root-authentication-method=normal',
        '--skip-test-db',
        ...asRoot,
      ])
    : toCommand(program, ['--no-defaults', '--initialize-insecure', `--datadir=${data}`, ...asRoot])
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true, env })
  // Without it, MySQL goes on for ever in a directory that was removed.
  if (child.pid !== undefined) child.once('exit', janitor.add({ do: 'kill', pid: child.pid }))
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text))
  await once(child, 'close')
  if (child.exitCode !== 0) throw new Error(`The data directory could not be filled:\n${printed}`)
}

/** An administrator who may come over TCP, and no account without a password. */
function toInitSql(password: string): string {
  return [
    `CREATE USER 'vitrine_admin'@'127.0.0.1' IDENTIFIED BY '${password}'`,
    `CREATE USER 'vitrine_admin'@'localhost' IDENTIFIED BY '${password}'`,
    "GRANT ALL ON *.* TO 'vitrine_admin'@'127.0.0.1' WITH GRANT OPTION",
    "GRANT ALL ON *.* TO 'vitrine_admin'@'localhost' WITH GRANT OPTION",
    // GRANT ALL leaves the right to make proxies out, and no account has it yet that could grant it.
    "INSERT INTO mysql.proxies_priv (Host, User, Proxied_host, Proxied_user, With_grant, Grantor) VALUES ('127.0.0.1', 'vitrine_admin', '', '', 1, ''), ('localhost', 'vitrine_admin', '', '', 1, '')",
    'FLUSH PRIVILEGES',
    `ALTER USER 'root'@'localhost' IDENTIFIED BY '${password}'`,
  ]
    .map((statement) => `${statement};\n`)
    .join('')
}

function toArguments(
  { isMariaDb }: Program,
  { folder, data, port }: { folder: string; data: string; port: number },
): readonly string[] {
  return [
    `--datadir=${data}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(folder, 'sock')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--init-file=${join(folder, 'init.sql')}`,
    '--innodb-buffer-pool-size=256M',
    // Nothing here has to outlive a crash of the machine.
    '--innodb-flush-log-at-trx-commit=0',
    ...(isMariaDb ? [] : ['--mysqlx=OFF', `--secure-file-priv=`]),
  ]
}

/**
 * A port of this machine that no process listens at, and that no other test takes: a socket of UDP, whose ports are others
 * than those of TCP, marks it until this process ends. It is below those that systems give to connections.
 */
export async function findFreePort(): Promise<number> {
  const port = randomInt(10_000, 32_000)
  const mark = createSocket('udp4')
  const probe = createServer()
  try {
    await once(mark.bind(port, '127.0.0.1'), 'listening')
    await once(probe.listen(port, '127.0.0.1'), 'listening')
  } catch {
    mark.close()
    return findFreePort()
  }
  mark.unref()
  probe.close()
  await once(probe, 'close')
  return port
}

/** Asks until the server answers; a minute is far beyond any start. */
async function waitFor(url: string, readFailure: () => string | undefined): Promise<void> {
  const end = Date.now() + 60_000
  for (;;) {
    const failure = readFailure()
    if (failure !== undefined) throw new Error(`The database server did not start:\n${failure}`)
    try {
      await runStatements(url, ['SELECT 1'])
      return
    } catch (error) {
      if (Date.now() > end) throw error
    }
    await delay(50)
  }
}

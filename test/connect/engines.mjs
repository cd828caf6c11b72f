// `npm run engines`: what Vitess does with statements that Vitrine relies on, and that a start refuses it. It needs a MySQL
// server, whose databases become the shards. `--install` builds the version of versions.yaml into CONNECT_HOME with Go.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import { startThrowaway, startVitrine } from 'vitrine/testing'
import { parse } from 'yaml'

const read = (name) => parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
const { flags, keyspaces, statements } = read('vitess.yaml')
const home = process.env.CONNECT_HOME ?? '/tmp/vitrine-connect'
const vtcombo = join(home, 'vtcombo')
const urlOf = (keyspace) => `mysql://any@127.0.0.1:${flags['mysql-server-port']}/${keyspace}`

function install() {
  const go = (args, options) => spawnSync('go', args, { encoding: 'utf8', ...options }).stdout
  const module = `vitess.io/vitess@${read('versions.yaml').go.vitess}`
  const { Dir: cwd } = JSON.parse(go(['mod', 'download', '-json', module]))
  mkdirSync(home, { recursive: true })
  go(['build', '-p', '2', '-o', vtcombo, './go/cmd/vtcombo'], { cwd, stdio: 'inherit' })
}

/** vtgate, with a tablet for each shard. It does not run as root. */
async function startVitess(throwaway) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-vitess-'))
  chmodSync(folder, 0o777)
  const topology = { cells: ['test'], keyspaces: [] }
  for (const [name, { shards, vschema }] of Object.entries(keyspaces)) {
    const keyspace = { name, replicaCount: 1, rdonlyCount: -1, shards: [] }
    topology.keyspaces.push(keyspace)
    for (const shard of shards) {
      const { adminUrl } = await throwaway.createProduct('plain')
      keyspace.shards.push({ name: shard, dbNameOverride: new URL(adminUrl).pathname.slice(1) })
    }
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'vschema.json'), JSON.stringify(vschema))
  }
  const { hostname, port, username, password } = new URL(throwaway.adminUrl)
  const all = { ...flags, 'schema-dir': folder, 'json-topo': JSON.stringify(topology), 'db-host': hostname }
  Object.assign(all, { 'db-port': port || 3306 })
  for (const account of ['app', 'dba', 'allprivs', 'appdebug', 'repl', 'filtered'])
    Object.assign(all, { [`db-${account}-user`]: username, [`db-${account}-password`]: password })
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = spawn(vtcombo, args, {
    ...(process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {}),
    env: { ...process.env, VTDATAROOT: folder, MYSQL_FLAVOR: 'MySQL80' },
    stdio: 'ignore',
  })
  child.once('close', () => rmSync(folder, { recursive: true }))
  return child
}

async function connect(url, tries = 60) {
  return mysql.createConnection(url).catch(async (error) => {
    if (tries === 0) throw error
    await new Promise((resolve) => setTimeout(resolve, 500))
    return connect(url, tries - 1)
  })
}

async function observe(keyspace, mapping) {
  const connection = await connect(urlOf(keyspace))
  for (const { sql, values } of statements) {
    const startedAt = performance.now()
    const seen = await (values ? connection.execute(sql, values) : connection.query(sql)).then(
      ([rows]) => JSON.stringify(rows),
      ({ message }) => `rejected: ${message}`,
    )
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`${keyspace}: ${sql}\n  ${seen.slice(0, 200)} (${seconds} s)`)
  }
  await connection.end()
  const failure = await startVitrine({ databaseUrl: urlOf(keyspace), mapping, env: { AUDIT: 'warn' } }).then(
    (vitrine) => vitrine.stop(),
    ({ message }) => /Vitess is not supported[^;]*/.exec(message)?.[0],
  )
  console.log(`${keyspace}: a start\n  ${failure ?? 'is not refused'}`)
  if (failure === undefined) process.exitCode = 1
}

if (process.argv.includes('--install')) install()
const say = (why) => console.log(`Vitess is skipped: ${why}`)
const throwaway = existsSync(vtcombo)
  ? await startThrowaway({ engine: 'mysql' }).catch(({ message }) => say(message))
  : say(`${vtcombo} does not exist; npm run engines -- --install builds it with Go`)
if (throwaway !== undefined) {
  const vitess = await startVitess(throwaway)
  try {
    const { mappingFile } = await throwaway.createProduct('plain')
    for (const keyspace of Object.keys(keyspaces)) await observe(keyspace, mappingFile)
  } finally {
    vitess.kill()
    await throwaway.stop()
  }
}

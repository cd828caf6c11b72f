import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseConfig } from '../../../src/config.js'

/*
 * What stands in the compose files is true of the files that it stands for. Whether the containers do what they
 * should, only an engine can tell.
 */

interface Service {
  readonly build?: { readonly target: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly networks?: { readonly default: { readonly aliases?: readonly string[] } }
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
}
interface ComposeFile {
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly services: Readonly<Record<string, Service>>
}

const read = (file: string): string => readFileSync(file, 'utf8')
const readCompose = (name: string) => parse(read(`docker/${name}`), { merge: true }) as ComposeFile

/** Every name that a pattern finds, once, in order. */
const listNames = (text: string, pattern: RegExp): readonly string[] =>
  [...new Set([...text.matchAll(pattern)].map((match) => match[1]!))].sort()

/** What Compose makes of `${NAME:-default}` where nothing is set. */
function readEnvironment({ environment = {} }: Service): Readonly<Record<string, string>> {
  const toDefault = (text: string): string => text.replace(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1')
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, toDefault(text)]))
}

const dockerfile = read('docker/Dockerfile')

describe.each(['compose.yaml', 'compose.scale.yaml'])('docker/%s', (name) => {
  const { services, secrets } = readCompose(name)
  const all = Object.values(services)

  test('sets variables that Vitrine and the seed know, and the account that the seed makes', () => {
    const known = listNames(read('src/environment.ts'), /^ {2}([A-Z_]+): /gm)
    const { DATABASE_URL_FILE: mounted = '', ...environment } = readEnvironment(services['vitrine']!)
    expect([...known, 'DATABASE_URL_FILE']).toEqual(expect.arrayContaining(Object.keys(environment)))
    const seed = readEnvironment(services['seed']!)
    const asked = listNames(read('test/product/seed-command.ts'), /(?:read\(|process\.env\[)'([A-Z_]+)'/g)
    expect(Object.keys(seed).sort()).toEqual(asked)
    const file = secrets[mounted.replace('/run/secrets/', '')]!.file
    const { database } = parseConfig({ ...environment, DATABASE_URL: read(`docker/${file}`).trim() })
    expect([database.user, database.password]).toEqual([seed['READER_USER'], seed['READER_PASSWORD']])
    const aliases = all.flatMap(({ networks }) => networks?.default.aliases ?? [])
    expect([...Object.keys(services), ...aliases]).toContain(database.host)
  })

  test('restarts Vitrine, builds and mounts what is there, and waits for what there is', () => {
    expect(services['vitrine']).toMatchObject({ read_only: true, restart: 'unless-stopped' })
    const stages = listNames(dockerfile, /^FROM \S+ AS (\S+)$/gm)
    expect(stages).toEqual(expect.arrayContaining(all.flatMap(({ build }) => build?.target ?? [])))
    const mounted = all.flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0]!))
    const missing = mounted.filter((source) => source.startsWith('./') && !existsSync(`docker/${source}`))
    expect(missing).toEqual([])
    const awaited = all.flatMap(({ depends_on: on = {} }) => Object.keys(on))
    expect(Object.keys(services)).toEqual(expect.arrayContaining(awaited))
  })
})

test('docker/compose.scale.yaml gives the script of the replication its variables, and balances over the ports of the image', () => {
  const { services } = readCompose('compose.scale.yaml')
  const environment = services['replication']!.environment!
  expect(Object.keys(environment).sort()).toEqual(listNames(read('docker/replicate.sh'), /\$([A-Z_]{2,})/g))
  const named = Object.keys(services).filter((name) => services[name]!.networks !== undefined)
  expect([environment['PRIMARY'], ...environment['REPLICAS']!.split(' ')]).toEqual(named)
  const balancer = read('docker/haproxy.cfg')
  const [api, ops] = /^EXPOSE (\d+) (\d+)$/m.exec(dockerfile)!.slice(1)
  expect(balancer).toMatch(new RegExp(`server-template \\S+ 10 vitrine:${api!} `))
  expect(balancer).toMatch(new RegExp(`option httpchk GET /readyz\\n *default-server check port ${ops!} `))
})

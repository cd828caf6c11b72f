import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseConfig } from '../../../src/config.js'
import type { Config } from '../../../src/config.js'

/*
 * What stands in the compose files is true of the files that it stands for. Whether the containers do what they
 * should, only an engine can tell.
 */

interface Service {
  readonly image?: string
  readonly build?: { readonly dockerfile: string; readonly target: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly networks?: { readonly default: { readonly aliases?: readonly string[] } }
  readonly volumes?: readonly string[]
  readonly secrets?: readonly string[]
  readonly configs?: readonly unknown[]
  readonly read_only?: boolean
  readonly depends_on?: Readonly<Record<string, unknown>>
}

interface ComposeFile {
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
const isThere = (file: string): boolean => existsSync(new URL(`../../../${file}`, import.meta.url))

/** Every name that a pattern finds, once, in order. */
const listNames = (text: string, pattern: RegExp): readonly string[] =>
  [...new Set([...text.matchAll(pattern)].map((match) => match[1]!))].sort()

/** What Compose makes of `${NAME:-default}` where nothing is set. */
const toDefault = (text: string): string => text.replace(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1')

function readEnvironment({ environment = {} }: Service): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, toDefault(text)]))
}

/** What Vitrine takes the database to be, with the file that is mounted for it. */
function readDatabase({ services, secrets }: ComposeFile): Config['database'] {
  const { DATABASE_URL_FILE: mounted, ...environment } = readEnvironment(services['vitrine']!)
  const name = services['vitrine']!.secrets?.find((secret) => mounted === `/run/secrets/${secret}`) ?? ''
  return parseConfig({
    ...environment,
    DATABASE_URL: read(`docker/${secrets[name]!.file}`).trim(),
  }).database
}

const readHost = (file: ComposeFile): string => readDatabase(file).host

const dockerfile = read('docker/Dockerfile')

describe.each(['compose.yaml', 'compose.scale.yaml'])('docker/%s', (name) => {
  const file = parse(read(`docker/${name}`), { merge: true }) as ComposeFile
  const services = Object.values(file.services)

  test('sets variables that Vitrine knows, to what it takes', () => {
    const known = listNames(read('src/environment.ts'), /^ {2}([A-Z_]+): /gm)
    expect(known).toContain('DATABASE_POOL_SIZE')
    const environment = readEnvironment(file.services['vitrine']!)
    expect(known).toEqual(expect.arrayContaining(Object.keys(environment)))
    const aliases = services.flatMap(({ networks }) => networks?.default.aliases ?? [])
    expect([...Object.keys(file.services), ...aliases]).toEqual(expect.arrayContaining([readHost(file)]))
  })

  test('sets just the variables that the seed reads', () => {
    const asked = listNames(read('test/product/seed-command.ts'), /(?:read\(|process\.env\[)'([A-Z_]+)'/g)
    expect(Object.keys(readEnvironment(file.services['seed']!)).sort()).toEqual(asked)
  })

  test('seeds the account that the mounted file names', () => {
    const { READER_USER, READER_PASSWORD } = readEnvironment(file.services['seed']!)
    const { user, password } = readDatabase(file)
    expect([user, password]).toEqual([READER_USER, READER_PASSWORD])
  })

  test('restarts Vitrine, and writes nothing into a container that is read-only, which Compose refuses', () => {
    expect(file.services['vitrine']).toMatchObject({ read_only: true, restart: 'unless-stopped' })
    expect(services.filter((service) => service.read_only && service.configs !== undefined)).toEqual([])
  })

  test('builds stages that the Dockerfile has', () => {
    const stages = listNames(dockerfile, /^FROM \S+ AS (\S+)$/gm)
    const built = services.flatMap(({ build }) => build ?? [])
    expect(built.map((build) => build.dockerfile)).toEqual(built.map(() => 'docker/Dockerfile'))
    expect(stages).toEqual(expect.arrayContaining(built.map(({ target }) => target)))
  })

  test('takes every image from a variable, with a default', () => {
    const images = services.flatMap(({ image }) => image ?? [])
    const form = /^\$\{[A-Z_]+_IMAGE:-[a-z]+:[\w.-]+(@sha256:[0-9a-f]{64})?\}$/
    expect(images.filter((image) => !form.test(image))).toEqual([])
  })

  test('mounts what is there, and waits for what there is', () => {
    const sources = services.flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0]!))
    const files = sources.filter((source) => source.startsWith('./'))
    expect(files.filter((source) => !isThere(`docker/${source}`))).toEqual([])
    expect(Object.keys(file.volumes).sort()).toEqual(
      sources.filter((source) => !files.includes(source)).sort(),
    )
    const awaited = services.flatMap(({ depends_on: on = {} }) => Object.keys(on))
    expect(Object.keys(file.services)).toEqual(expect.arrayContaining(awaited))
  })
})

describe('docker/compose.scale.yaml', () => {
  const file = parse(read('docker/compose.scale.yaml'), { merge: true }) as ComposeFile
  const { services } = file

  test('gives the script of the replication just the variables that it reads', () => {
    const script = read('docker/replicate.sh')
    expect(Object.keys(services['replication']!.environment ?? {}).sort()).toEqual(
      listNames(script, /\$([A-Z_]{2,})/g),
    )
    execFileSync('bash', ['-n'], { input: script })
  })

  test('names the servers of the script by the names that they have', () => {
    const { PRIMARY, REPLICAS } = services['replication']!.environment!
    const named = Object.keys(services).filter((name) => services[name]!.networks !== undefined)
    expect([PRIMARY, ...REPLICAS!.split(' ')]).toEqual(named)
  })

  test('balances over the ports that the image exposes, and asks for their health where Vitrine tells it', () => {
    const balancer = read('docker/haproxy.cfg')
    const [api, ops] = /^EXPOSE (\d+) (\d+)$/m.exec(dockerfile)!.slice(1)
    expect(balancer).toMatch(new RegExp(`server-template \\S+ 10 vitrine:${api!} `))
    expect(balancer).toMatch(new RegExp(`option httpchk GET /readyz\\n *default-server check port ${ops!} `))
  })
})

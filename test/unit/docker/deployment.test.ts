import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseConfig } from '../../../src/config.js'

/*
 * What the image, the compose files and the manifests of Kubernetes say is true of each other and of the settings that they stand
 * for. Whether the containers do what they should, only an engine can tell.
 */

const read = (file: string): string => readFileSync(file, 'utf8')
const readYaml = (name: string): unknown => parse(read(`docker/${name}`), { merge: true })

/** The part of a document at a path. */
const at = (document: unknown, path: string): unknown =>
  path.split('.').reduce((part, name) => (part as Record<string, unknown> | undefined)?.[name], document)

/** Every name that a pattern finds, once, in order. */
const listNames = (text: string, pattern: RegExp): readonly string[] =>
  [...new Set([...text.matchAll(pattern)].map((match) => match[1]!))].sort()

const dockerfile = read('docker/Dockerfile')
const [api = '', ops = ''] = /^EXPOSE (\d+) (\d+)$/m.exec(dockerfile)!.slice(1)
const known = listNames(read('src/environment.ts'), /^ {2}([A-Z_]+): /gm)

describe('the image', () => {
  test('is labelled with what package.json says, and with the arguments of the build', () => {
    const { description, license } = JSON.parse(read('package.json')) as Readonly<Record<string, string>>
    const labels = dockerfile.matchAll(/org\.opencontainers\.image\.(\w+)="([^"]*)"/g)
    expect(Object.fromEntries([...labels].map(([, name, text]) => [name, text]))).toEqual({
      ...{ title: 'Vitrine', description, licenses: license, version: '${VERSION}' },
      ...{ revision: '${REVISION}', created: '${CREATED}', source: '${SOURCE}' },
    })
    expect(dockerfile).toContain('ARG VERSION= REVISION= CREATED= SOURCE=\nLABEL ')
  })

  test('runs as a user by number, who is not root', () => {
    expect(dockerfile.split('FROM ').at(-1)).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
  })

  test('has every file that a stage copies let through by .dockerignore', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files]) =>
      files!.split(' '),
    )
    expect(copied.length).toBeGreaterThan(10)
    const pages = listNames(read('src/api/docs/guides.ts'), /splitFile\('([^']+)'/g).map(
      (file) => `docs/${file}`,
    )
    expect(pages).toHaveLength(3)
    expect(copied).toEqual(expect.arrayContaining(pages))
    expect([...new Set(copied)].toSorted()).toEqual(
      read('.dockerignore')
        .match(/(?<=^!).+/gm)!
        .toSorted(),
    )
  })
})

interface Service {
  readonly build?: { readonly target: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly networks?: { readonly default: { readonly aliases?: readonly string[] } }
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
}
const readServices = (name: string) => at(readYaml(name), 'services') as Readonly<Record<string, Service>>

/** What Compose makes of `${NAME:-default}` where nothing is set. */
function readEnvironment({ environment = {} }: Service): Readonly<Record<string, string>> {
  const toDefault = (text: string): string => text.replace(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1')
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, toDefault(text)]))
}

describe.each(['compose.yaml', 'compose.scale.yaml'])('docker/%s', (name) => {
  const services = readServices(name)
  const all = Object.values(services)

  test('sets variables that Vitrine and the seed know, and the account that the seed makes', () => {
    const { DATABASE_URL_FILE: mounted = '', ...environment } = readEnvironment(services['vitrine']!)
    expect([...known, 'DATABASE_URL_FILE']).toEqual(expect.arrayContaining(Object.keys(environment)))
    const seed = readEnvironment(services['seed']!)
    const asked = listNames(read('test/product/seed-command.ts'), /(?:read\(|process\.env\[)'([A-Z_]+)'/g)
    expect(Object.keys(seed).sort()).toEqual(asked)
    const file = at(readYaml(name), mounted.replace('/run/', '').replace('/', '.')) as {
      readonly file: string
    }
    const { database } = parseConfig({ ...environment, DATABASE_URL: read(`docker/${file.file}`).trim() })
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
  const services = readServices('compose.scale.yaml')
  const environment = services['replication']!.environment!
  expect(Object.keys(environment).sort()).toEqual(listNames(read('docker/replicate.sh'), /\$([A-Z_]{2,})/g))
  const named = Object.keys(services).filter((name) => services[name]!.networks !== undefined)
  expect([environment['PRIMARY'], ...environment['REPLICAS']!.split(' ')]).toEqual(named)
  const balancer = read('docker/haproxy.cfg')
  expect(balancer).toMatch(new RegExp(`server-template \\S+ 10 vitrine:${api} `))
  expect(balancer).toMatch(new RegExp(`option httpchk GET /readyz\\n *default-server check port ${ops} `))
})

describe('the manifests of Kubernetes', () => {
  const readManifest = (file: string) => readYaml(`kubernetes/base/${file}.yaml`)
  const deployment = readManifest('deployment')
  const pod = at(deployment, 'spec.template.spec')

  test('have the mapping of config/mapping.yaml', () => {
    for (const folder of ['base', 'example'])
      expect(readYaml(`kubernetes/${folder}/mapping.yaml`)).toEqual(parse(read('config/mapping.yaml')))
    expect(readdirSync('docker/kubernetes/base')).toHaveLength(8)
  })

  test('run a pod restricted, as the user and on the ports of the image', () => {
    const user = Number(/^USER (\d+):/m.exec(dockerfile.split(' AS final')[1] ?? dockerfile)![1])
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: user, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          ports: [{ containerPort: Number(api) }, { containerPort: Number(ops) }],
          securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
          livenessProbe: { httpGet: { path: '/livez', port: 'ops' } },
          readinessProbe: { httpGet: { path: '/readyz', port: 'ops' } },
        },
      ],
    })
  })

  test('set variables that Vitrine knows, and times and sizes that fit them', () => {
    const generators = at(readManifest('kustomization'), 'configMapGenerator') as { literals?: string[] }[]
    const lines = generators.flatMap(({ literals = [] }) => literals.map((line) => line.split('=')))
    const settings = Object.fromEntries(lines) as Record<string, string>
    expect(known).toEqual(expect.arrayContaining(Object.keys(settings)))
    const delay = /SHUTDOWN_DELAY_SECONDS=(\d+)/.exec(dockerfile)![1]!
    const config = parseConfig({
      SHUTDOWN_DELAY_SECONDS: delay,
      DATABASE_URL: 'mysql://u:p@h/d',
      ...settings,
    })
    const read = (path: string): number => Number.parseInt(String(at(pod, path)))
    // 5 s for the end of the process: the kubelet counts from before its signal.
    const grace = config.shutdownDelayMs + config.shutdownGraceMs + 5000
    expect(read('terminationGracePeriodSeconds') * 1000).toBeGreaterThanOrEqual(grace)
    // For the audit and for a busy node.
    const probe = 'containers.0.startupProbe'
    expect(read(`${probe}.periodSeconds`) * read(`${probe}.failureThreshold`)).toBeGreaterThanOrEqual(60)
    // A process needs up to 80 MB beside its heap.
    const heapMb = Number(/--max-old-space-size=(\d+)/.exec(JSON.stringify(at(pod, 'containers.0.env')))![1])
    expect(at(pod, 'containers.0.resources.limits.memory')).toMatch(/^\d+Mi$/)
    expect(heapMb + 80).toBeLessThanOrEqual(read('containers.0.resources.limits.memory'))
    // Each process, one more during an update, has its pool and four connections; max_connections is 151.
    const most = Number(at(readManifest('horizontal-pod-autoscaler'), 'spec.maxReplicas'))
    const surge = Number(at(deployment, 'spec.strategy.rollingUpdate.maxSurge'))
    expect((most + surge) * (config.database.poolSize + 4)).toBeLessThanOrEqual(151)
  })
})

import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { parseConfig } from '../../../src/config.js'
import { copyManifests, findObstacle, renderManifests } from '../../support/manifests.js'
import type { Manifest } from '../../support/manifests.js'

/* What `kubectl apply -k` would send; test/kubernetes validates it by the schemas of Kubernetes. */

const dockerfile = readFileSync('docker/Dockerfile', 'utf8')
const databaseUrl = { DATABASE_URL: 'mysql://reader:secret@database/product' }
const [apiPort, opsPort] = /^EXPOSE (\d+) (\d+)$/m.exec(dockerfile)!.slice(1).map(Number)
const [user, group] = /^USER (\d+):(\d+)$/m.exec(dockerfile.split(' AS final')[1]!)!.slice(1).map(Number)
/** How long `serve` waits for the database. */
const waitSeconds = Number(/\{ wait = (\d+) \}/.exec(readFileSync('src/cli.ts', 'utf8'))![1])

function copy(): string {
  const folder = copyManifests()
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  return folder
}

function render(folder: 'base' | 'example'): readonly Manifest[] {
  const root = copyManifests()
  try {
    return renderManifests(join(root, folder))
  } finally {
    rmSync(root, { recursive: true })
  }
}

const findNames = (manifests: readonly Manifest[], kind: string): readonly string[] =>
  manifests.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name)

/** The only number of a field in all manifests. */
function readNumber(manifests: readonly Manifest[], field: string): number {
  const [found, ...others] = JSON.stringify(manifests).matchAll(new RegExp(`"${field}":"?(\\d+)`, 'g'))
  if (found === undefined || others.length > 0) throw new Error(`not one ${field}`)
  return Number(found[1])
}

describe.each(['base', 'example'] as const)('docker/kubernetes/%s', (folder) => {
  const obstacle = findObstacle(folder)
  const labels = { 'app.kubernetes.io/name': 'vitrine' }

  test('starts with the mapping of config/mapping.yaml', () => {
    expect(parse(readFileSync(`docker/kubernetes/${folder}/mapping.yaml`, 'utf8'))).toEqual(
      parse(readFileSync('config/mapping.yaml', 'utf8')),
    )
  })

  describe.skipIf(obstacle !== undefined)(obstacle ?? 'rendered', () => {
    let manifests: readonly Manifest[] = []
    beforeAll(() => {
      manifests = render(folder)
    })
    const find = (kind: string, name = ''): Manifest | undefined =>
      manifests.find((one) => one.kind === kind && one.metadata.name.startsWith(name))
    const findSettings = (): Readonly<Record<string, string>> =>
      find('ConfigMap', 'vitrine-settings-')?.data ?? {}

    test('runs one restricted container, as the user and on the ports of the image', () => {
      const probe = (path: string): object => ({ httpGet: { path, port: 'ops' } })
      const mapping = find('ConfigMap', 'vitrine-mapping-')!
      const container = {
        envFrom: [{ configMapRef: { name: find('ConfigMap', 'vitrine-settings-')!.metadata.name } }],
        ports: [
          { name: 'api', containerPort: apiPort },
          { name: 'ops', containerPort: opsPort },
        ],
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        startupProbe: probe('/livez'),
        livenessProbe: probe('/livez'),
        readinessProbe: probe('/readyz'),
        env: [{ name: 'DATABASE_URL_FILE', value: '/run/secrets/vitrine/DATABASE_URL' }, {}],
        volumeMounts: [
          { name: 'mapping', mountPath: '/etc/vitrine' },
          { name: 'database', mountPath: '/run/secrets/vitrine' },
        ],
      }
      expect(Object.keys(mapping.data!).map((file) => `/etc/vitrine/${file}`)).toEqual([
        findSettings()['MAPPING_FILE'],
      ])
      expect(find('Deployment')!.spec).toMatchObject({
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: find('ServiceAccount')!.metadata.name,
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            securityContext: {
              runAsNonRoot: true,
              runAsUser: user,
              runAsGroup: group,
              seccompProfile: { type: 'RuntimeDefault' },
            },
            containers: [container],
            volumes: [
              { name: 'mapping', configMap: { name: mapping.metadata.name } },
              {
                name: 'database',
                secret: {
                  secretName: expect.stringMatching(
                    folder === 'base' ? /^vitrine-database$/ : /^vitrine-database-\w+$/,
                  ) as string,
                },
              },
            ],
          },
        },
      })
    })

    test('refers to its pods and their ports', () => {
      const selector = { matchLabels: labels }
      expect(find('Service')!.spec).toMatchObject({ selector: labels, ports: [{ targetPort: 'api' }] })
      expect(find('PodDisruptionBudget')!.spec).toMatchObject({ selector })
      expect(find('HorizontalPodAutoscaler')!.spec).toMatchObject({
        scaleTargetRef: { kind: 'Deployment', name: find('Deployment')!.metadata.name },
      })
      expect(find('NetworkPolicy')!.spec).toMatchObject({
        podSelector: selector,
        ingress: [{ ports: [{ port: apiPort }] }, { ports: [{ port: opsPort }] }],
      })
      const monitor = find('PodMonitor')
      expect(monitor !== undefined).toBe(folder === 'example')
      if (monitor !== undefined)
        expect(monitor.spec).toMatchObject({ selector, podMetricsEndpoints: [{ port: 'ops' }] })
    })

    test('sets variables that Vitrine knows, and times and sizes that fit them', () => {
      const known = [...readFileSync('src/environment.ts', 'utf8').matchAll(/^ {2}([A-Z_]+): /gm)]
      expect(known.map(([, name]) => name)).toEqual(expect.arrayContaining(Object.keys(findSettings())))
      const delay = /SHUTDOWN_DELAY_SECONDS=(\d+)/.exec(dockerfile)![1]!
      const config = parseConfig({ SHUTDOWN_DELAY_SECONDS: delay, ...findSettings(), ...databaseUrl })
      // 5 s for the end of the process: the kubelet counts from before its signal.
      expect(readNumber(manifests, 'terminationGracePeriodSeconds')).toBeGreaterThanOrEqual(
        (config.shutdownDelayMs + config.shutdownGraceMs) / 1000 + 5,
      )
      const [, startSeconds, startCount] =
        /"startupProbe":{[^}]*"failureThreshold":(\d+),[^}]*"httpGet":{[^}]*},"periodSeconds":(\d+)/.exec(
          JSON.stringify(manifests),
        )!
      // A minute for the audit and for a busy node.
      expect(Number(startSeconds) * Number(startCount)).toBeGreaterThanOrEqual(waitSeconds + 60)
      // A process needs up to 80 MB beside its heap.
      const heapMb = Number(/--max-old-space-size=(\d+)/.exec(JSON.stringify(manifests))![1])
      const limitMb = Number(/"limits":{"memory":"(\d+)Mi"/.exec(JSON.stringify(manifests))![1])
      expect(heapMb + 80).toBeLessThanOrEqual(limitMb)
      // Each process, one more during an update, has its pool and four connections; max_connections is 151.
      const processes = readNumber(manifests, 'maxReplicas') + readNumber(manifests, 'maxSurge')
      expect(processes * (Number(findSettings()['DATABASE_POOL_SIZE']) + 4)).toBeLessThanOrEqual(151)
    })

    test('names no namespace but its own', () => {
      const namespaces = manifests.map(
        ({ metadata }) => (metadata as { readonly namespace?: string }).namespace,
      )
      expect(new Set(namespaces)).toEqual(new Set([folder === 'base' ? undefined : 'public-api']))
    })
  })
})

test.skipIf(findObstacle('base') !== undefined)(
  'another mapping has another name, which replaces the pods',
  () => {
    const folder = copy()
    const [before] = findNames(renderManifests(join(folder, 'base')), 'ConfigMap')
    appendFileSync(join(folder, 'base/mapping.yaml'), '# changed\n')
    const [after] = findNames(renderManifests(join(folder, 'base')), 'ConfigMap')
    expect(before).toMatch(/^vitrine-mapping-\w+$/)
    expect(after).toMatch(/^vitrine-mapping-\w+$/)
    expect(after).not.toBe(before)
  },
)

test.skipIf(findObstacle('example') !== undefined)('no Secret is applied that was not written', () => {
  expect(findNames(render('base'), 'Secret')).toEqual([])
  expect(() => renderManifests('docker/kubernetes/example')).toThrow('database.env')
  const [secret] = render('example').filter(({ kind }) => kind === 'Secret')
  const { DATABASE_URL: url = '' } = secret!.data!
  // No server can be there: RFC 6761, "invalid.".
  expect(Buffer.from(url, 'base64').toString()).toContain('@database.invalid:')
})

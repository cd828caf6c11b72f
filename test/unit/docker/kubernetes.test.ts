import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { parseConfig } from '../../../src/config.js'
import { findManifestIssues, readSettings, readSpec } from '../../support/manifest-issues.js'
import type { ImageFacts } from '../../support/manifest-issues.js'
import { copyManifests, findObstacle, renderManifests } from '../../support/manifests.js'
import type { Manifest } from '../../support/manifests.js'

/* What `kubectl apply -k` would send; test/kubernetes holds it against the schemas of Kubernetes. */

const dockerfile = readFileSync('docker/Dockerfile', 'utf8')
const defaults = parseConfig({ DATABASE_URL: 'mysql://reader:secret@database/product' })

const image: ImageFacts = {
  environment: {
    SHUTDOWN_DELAY_SECONDS: /SHUTDOWN_DELAY_SECONDS=(\d+)/.exec(dockerfile)![1]!,
    SHUTDOWN_GRACE_SECONDS: String(defaults.shutdownGraceMs / 1000),
  },
  ports: /^EXPOSE (.+)$/m.exec(dockerfile)![1]!.split(' ').map(Number),
  user: /^USER (\d+:\d+)$/m.exec(dockerfile.split(' AS final')[1]!)![1]!,
  waitSeconds: Number(/wait = '(\d+)'/.exec(readFileSync('src/cli.ts', 'utf8'))![1]),
}

function copy(): string {
  const folder = copyManifests()
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  return folder
}

const render = (folder: 'base' | 'example'): readonly Manifest[] => renderManifests(join(copy(), folder))
let base: readonly Manifest[] | undefined
const baseManifests = (): readonly Manifest[] => (base ??= render('base'))
const findNames = (manifests: readonly Manifest[], kind: string): readonly string[] =>
  manifests.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name)

describe.each(['base', 'example'] as const)('docker/kubernetes/%s', (folder) => {
  const obstacle = findObstacle(folder)
  const because = obstacle === undefined ? '' : ` (${obstacle})`

  test.skipIf(obstacle !== undefined)(`fits itself and the image${because}`, () => {
    expect(findManifestIssues(render(folder), image)).toEqual([])
  })

  test.skipIf(obstacle !== undefined)(`sets variables that Vitrine knows, to what it takes${because}`, () => {
    const manifests = render(folder)
    const settings = readSettings(manifests, readSpec(manifests, 'Deployment'), image)
    const known = [...readFileSync('src/config.ts', 'utf8').matchAll(/^ {2}([A-Z_]+): /gm)].map(
      ([, name]) => name,
    )
    expect([...known, 'NODE_OPTIONS']).toEqual(expect.arrayContaining(Object.keys(settings)))
    parseConfig({ ...settings, DATABASE_URL: 'mysql://reader:secret@database/product' })
  })

  test.skipIf(obstacle !== undefined)(
    `names no namespace but its own, and makes a pod of no account${because}`,
    () => {
      const manifests = render(folder)
      const namespaces = manifests.map(
        ({ metadata }) => (metadata as { readonly namespace?: string }).namespace,
      )
      expect(new Set(namespaces)).toEqual(new Set([folder === 'base' ? undefined : 'public-api']))
      expect(readSpec(manifests, 'Deployment')).toMatchObject({
        template: {
          spec: {
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
            containers: [
              {
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ['ALL'] },
                },
              },
            ],
          },
        },
      })
    },
  )

  test('starts with the mapping of config/mapping.yaml', () => {
    expect(parse(readFileSync(`docker/kubernetes/${folder}/mapping.yaml`, 'utf8'))).toEqual(
      parse(readFileSync('config/mapping.yaml', 'utf8')),
    )
  })
})

/** A change of one object of the base, in its JSON, and what the check must say of it. */
const mistakes: readonly (readonly [string, string, RegExp | string, string, RegExp])[] = [
  ['a selector of a Service', 'Service', '"selector":{"app', '"selector":{"other', /^Service: no pod/],
  [
    'a selector of a budget',
    'PodDisruptionBudget',
    'matchLabels":{"app',
    'matchLabels":{"o',
    /^PodDis.*: no pod/,
  ],
  [
    'a selector of a policy',
    'NetworkPolicy',
    'Selector":{"matchLabels":{"app',
    'Selector":{"matchLabels":{"o',
    /^NetworkPolicy: no pod/,
  ],
  ['a port of a Service', 'Service', '"targetPort":"api"', '"targetPort":"web"', /^Service: no port web/],
  ['a port of a policy', 'NetworkPolicy', '9090', '9091', /^NetworkPolicy: 9090 is closed/],
  ['a port of a container', 'Deployment', '8080', '8081', /^Deployment: the image exposes 8080,9090/],
  [
    'a target of the autoscaler',
    'HorizontalPodAutoscaler',
    '"Deployment","name":"vitrine"',
    '"Deployment","name":"o"',
    /^Deployment o: there is none/,
  ],
  [
    'a ConfigMap of variables',
    'Deployment',
    /vitrine-settings-\w+/,
    'settings',
    /^ConfigMap settings: there is none/,
  ],
  [
    'a ConfigMap of the mapping',
    'Deployment',
    /vitrine-mapping-\w+/,
    'mapping',
    /^ConfigMap mapping: there is none/,
  ],
  ['a path of the mapping', 'Deployment', '/etc/vitrine', '/etc', /^MAPPING_FILE .*: no volume has it/],
  [
    'an account',
    'Deployment',
    '"serviceAccountName":"vitrine"',
    '"serviceAccountName":"o"',
    /^ServiceAccount o: there is none/,
  ],
  [
    'a time to stop',
    'Deployment',
    'GracePeriodSeconds":30',
    'GracePeriodSeconds":15',
    /^terminationGrace.*: 15 is less than 20/,
  ],
  [
    'a delay that is longer',
    'ConfigMap',
    '"DATABASE_POOL_SIZE"',
    '"SHUTDOWN_DELAY_SECONDS":"20","DATABASE_POOL_SIZE"',
    /^terminationGrace.*: 30 is less than 35/,
  ],
  ['a time to start', 'Deployment', '"failureThreshold":60', '"failureThreshold":20', /^startupProbe: 40 s/],
  ['a probe', 'Deployment', '/readyz', '/livez', /^probes: /],
  ['a heap', 'Deployment', 'space-size=160', 'space-size=250', /^memory: 250 MB of heap/],
  [
    'a number of pods',
    'HorizontalPodAutoscaler',
    '"maxReplicas":6',
    '"maxReplicas":20',
    /^maxReplicas: 294 connections/,
  ],
  [
    'a size of the pool',
    'ConfigMap',
    '"DATABASE_POOL_SIZE":"10"',
    '"DATABASE_POOL_SIZE":"50"',
    /^maxReplicas: 378 connections/,
  ],
  [
    'a user',
    'Deployment',
    '"runAsUser":1000',
    '"runAsUser":1001',
    /^securityContext: the image has 1000:1000/,
  ],
]

describe.skipIf(findObstacle('base') !== undefined)('the check finds', () => {
  test.each(mistakes)('%s that does not fit', (_, kind, right, wrong, expected) => {
    const changed = baseManifests().map((one) =>
      one.kind === kind ? (JSON.parse(JSON.stringify(one).replace(right, wrong)) as Manifest) : one,
    )
    expect(changed).not.toEqual(baseManifests())
    expect(findManifestIssues(changed, image)).toContainEqual(expect.stringMatching(expected))
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

test.skipIf(findObstacle('example') !== undefined)('no Secret is applied that nobody wrote', () => {
  expect(findNames(render('base'), 'Secret')).toEqual([])
  expect(() => renderManifests('docker/kubernetes/example')).toThrow('database.env')
  const [secret] = render('example').filter(({ kind }) => kind === 'Secret')
  const { DATABASE_URL: url = '' } = secret!.data!
  // Nobody has a server there: RFC 6761, "invalid.".
  expect(Buffer.from(url, 'base64').toString()).toContain('@database.invalid:')
})

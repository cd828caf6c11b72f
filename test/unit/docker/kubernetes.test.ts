import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseConfig } from '../../../src/config.js'

/* What the manifests say is true of the image and of the settings that they stand for. */

interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly resources: { readonly limits: { readonly memory: string } }
  readonly startupProbe: { readonly periodSeconds: number; readonly failureThreshold: number }
}
interface Manifest {
  readonly spec: Readonly<Record<string, unknown>>
}

const dockerfile = readFileSync('docker/Dockerfile', 'utf8')
const find = (text: string, pattern: RegExp): number => Number(pattern.exec(text)![1])
const read = (file: string): unknown => parse(readFileSync(`docker/kubernetes/base/${file}.yaml`, 'utf8'))
const { template, strategy } = (read('deployment') as Manifest).spec as {
  readonly strategy: { readonly rollingUpdate: { readonly maxSurge: number } }
  readonly template: {
    readonly spec: {
      readonly terminationGracePeriodSeconds: number
      readonly containers: readonly Container[]
    }
  }
}
const { literals } = (
  read('kustomization') as {
    readonly configMapGenerator: readonly { readonly literals?: readonly string[] }[]
  }
).configMapGenerator.find((one) => one.literals !== undefined)!
const settings = Object.fromEntries(literals!.map((line) => line.split('='))) as Record<string, string>

test('the mappings of the manifests are that of config/mapping.yaml', () => {
  for (const folder of ['base', 'example'])
    expect(parse(readFileSync(`docker/kubernetes/${folder}/mapping.yaml`, 'utf8'))).toEqual(
      parse(readFileSync('config/mapping.yaml', 'utf8')),
    )
  expect(readdirSync('docker/kubernetes/base')).toHaveLength(8)
})

test('a pod runs restricted, as the user and on the ports of the image', () => {
  const [user, api, ops] = [/^USER (\d+):/m, /^EXPOSE (\d+)/m, /^EXPOSE \d+ (\d+)$/m].map((pattern) =>
    find(dockerfile.split(' AS final')[1] ?? dockerfile, pattern),
  )
  expect(template.spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: user, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        ports: [{ containerPort: api }, { containerPort: ops }],
        securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
        livenessProbe: { httpGet: { path: '/livez', port: 'ops' } },
        readinessProbe: { httpGet: { path: '/readyz', port: 'ops' } },
      },
    ],
  })
})

test('the settings are variables that Vitrine knows, and times and sizes fit them', () => {
  const known = [...readFileSync('src/environment.ts', 'utf8').matchAll(/^ {2}([A-Z_]+): /gm)]
  expect(known.map(([, name]) => name)).toEqual(expect.arrayContaining(Object.keys(settings)))
  const delay = String(find(dockerfile, /SHUTDOWN_DELAY_SECONDS=(\d+)/))
  const variables = { SHUTDOWN_DELAY_SECONDS: delay, DATABASE_URL: 'mysql://u:p@h/d', ...settings }
  const config = parseConfig(variables)
  const [container] = template.spec.containers
  // 5 s for the end of the process: the kubelet counts from before its signal.
  expect(template.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThanOrEqual(
    config.shutdownDelayMs + config.shutdownGraceMs + 5000,
  )
  // For the audit and for a busy node.
  const { periodSeconds, failureThreshold } = container!.startupProbe
  expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(60)
  // A process needs up to 80 MB beside its heap.
  const heapMb = find(JSON.stringify(container!.env), /--max-old-space-size=(\d+)/)
  expect(heapMb + 80).toBeLessThanOrEqual(find(container!.resources.limits.memory, /^(\d+)Mi$/))
  // Each process, one more during an update, has its pool and four connections; max_connections is 151.
  const { maxReplicas } = (read('horizontal-pod-autoscaler') as Manifest).spec as {
    readonly maxReplicas: number
  }
  const processes = maxReplicas + strategy.rollingUpdate.maxSurge
  expect(processes * (config.database.poolSize + 4)).toBeLessThanOrEqual(151)
})

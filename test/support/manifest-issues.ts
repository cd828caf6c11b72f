import type { Labels, Manifest } from './manifests.js'

interface Selector {
  readonly matchLabels: Labels
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
  readonly periodSeconds: number
  readonly failureThreshold: number
}

interface Container {
  readonly env: readonly {
    readonly name: string
    readonly value?: string
    readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
  }[]
  readonly envFrom: readonly { readonly configMapRef: { readonly name: string } }[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
  readonly resources: { readonly limits: { readonly memory: string } }
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
}

/** A Deployment, as far as others refer to it. */
export interface Deployment {
  readonly selector: Selector
  readonly strategy: { readonly rollingUpdate: { readonly maxSurge: number } }
  readonly template: {
    readonly metadata: { readonly labels: Labels }
    readonly spec: {
      readonly containers: readonly [Container]
      readonly serviceAccountName: string
      readonly terminationGracePeriodSeconds: number
      readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number }
      readonly topologySpreadConstraints: readonly { readonly labelSelector: Selector }[]
      readonly volumes: readonly { readonly name: string; readonly configMap: { readonly name: string } }[]
    }
  }
}

interface NetworkPolicy {
  readonly podSelector: Selector
  readonly ingress: readonly { readonly ports: readonly { readonly port: number }[] }[]
}

interface Autoscaler {
  readonly scaleTargetRef: { readonly kind: string; readonly name: string }
  readonly maxReplicas: number
}

interface PodMonitor {
  readonly selector: Selector
  readonly podMetricsEndpoints: readonly { readonly port: string; readonly path: string }[]
}

/** What the image sets, and what `serve` does by itself. */
export interface ImageFacts {
  readonly environment: Readonly<Record<string, string>>
  /** Those that EXPOSE names. */
  readonly ports: readonly number[]
  /** User and group. */
  readonly user: string
  /** How long `serve` waits for the database. */
  readonly waitSeconds: number
}

/** Time for the end of a process beside the delay and the grace: the kubelet counts from before its signal. */
const stopMarginSeconds = 5
/** Time for the audit and for a busy node, beside the time for which the database is waited for. */
const startMarginSeconds = 60
/** The default of `max_connections`. */
const connectionsMax = 151
/** Those that each process opens to each host beside its pool: for health and the schema. */
const checkConnections = 4
/** Of a process beside its heap, in MB; test/bench/results and `docker stats` tell. */
const memoryBesideHeap = 80

/** Everything that a schema cannot see: references that lead nowhere, and numbers that do not fit each other. */
export function findManifestIssues(manifests: readonly Manifest[], image: ImageFacts): readonly string[] {
  const deployment = readSpec(manifests, 'Deployment')
  const settings = readSettings(manifests, deployment, image)
  return [
    ...findLostSelectors(manifests, deployment),
    ...findLostPorts(manifests, deployment, image),
    ...findLostNames(manifests, deployment, settings),
    ...findWrongTimes(deployment, settings, image),
    ...findWrongSizes(manifests, deployment, settings),
    ...findWrongUser(deployment, image),
  ]
}

/** The variables that the process starts with, without the address of the database. */
export function readSettings(
  manifests: readonly Manifest[],
  { template }: Deployment,
  { environment }: Pick<ImageFacts, 'environment'>,
): Readonly<Record<string, string>> {
  const { env, envFrom } = template.spec.containers[0]
  const maps = envFrom.map(({ configMapRef }) => findNamed(manifests, 'ConfigMap', configMapRef.name)?.data)
  const own = Object.fromEntries(
    env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  )
  return Object.assign({}, environment, ...maps, own) as Record<string, string>
}

interface Specs {
  readonly Deployment: Deployment
  readonly Service: { readonly selector: Labels; readonly ports: readonly { readonly targetPort: string }[] }
  readonly NetworkPolicy: NetworkPolicy
  readonly PodDisruptionBudget: { readonly selector: Selector }
  readonly HorizontalPodAutoscaler: Autoscaler
  readonly PodMonitor: PodMonitor
}

/** The spec of the only object of a kind. */
export function readSpec<Kind extends keyof Specs>(manifests: readonly Manifest[], kind: Kind): Specs[Kind] {
  const [manifest, ...others] = manifests.filter((one) => one.kind === kind)
  if (manifest === undefined || others.length > 0) throw new Error(`not one ${kind}`)
  return manifest.spec as Specs[Kind]
}

const findNamed = (manifests: readonly Manifest[], kind: string, name: string): Manifest | undefined =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name)

function findLostSelectors(
  manifests: readonly Manifest[],
  { selector, template }: Deployment,
): readonly string[] {
  const { labels } = template.metadata
  const selectors: Readonly<Record<string, Labels>> = {
    Deployment: selector.matchLabels,
    Service: readSpec(manifests, 'Service').selector,
    NetworkPolicy: readSpec(manifests, 'NetworkPolicy').podSelector.matchLabels,
    ...Object.fromEntries(
      (['PodDisruptionBudget', 'PodMonitor'] as const)
        .filter((kind) => manifests.some((one) => one.kind === kind))
        .map((kind) => [kind, readSpec(manifests, kind).selector.matchLabels]),
    ),
    ...Object.fromEntries(
      template.spec.topologySpreadConstraints.map((one, index) => [
        `topologySpreadConstraints[${String(index)}]`,
        one.labelSelector.matchLabels,
      ]),
    ),
  }
  return Object.entries(selectors)
    .filter(([, wanted]) => Object.entries(wanted).some(([name, value]) => labels[name] !== value))
    .map(([kind]) => `${kind}: no pod has the labels of its selector`)
}

function findLostPorts(
  manifests: readonly Manifest[],
  { template }: Deployment,
  image: ImageFacts,
): readonly string[] {
  const { ports, ...probes } = template.spec.containers[0]
  const names = ports.map(({ name }) => name)
  const numbers = ports.map(({ containerPort }) => containerPort)
  const service = readSpec(manifests, 'Service')
  const monitors = manifests.filter(({ kind }) => kind === 'PodMonitor').map(({ spec }) => spec as PodMonitor)
  const named = [
    ...service.ports.map(({ targetPort }) => ['Service', targetPort] as const),
    ...monitors.flatMap((one) => one.podMetricsEndpoints.map(({ port }) => ['PodMonitor', port] as const)),
    ...(['startupProbe', 'livenessProbe', 'readinessProbe'] as const).map(
      (name) => [name, probes[name].httpGet.port] as const,
    ),
  ]
  const opened = readSpec(manifests, 'NetworkPolicy').ingress.flatMap((rule) =>
    rule.ports.map(({ port }) => port),
  )
  const differs = numbers.join() !== image.ports.join()
  return [
    ...named.filter(([, port]) => !names.includes(port)).map(([from, port]) => `${from}: no port ${port}`),
    ...numbers
      .filter((port) => !opened.includes(port))
      .map((port) => `NetworkPolicy: ${String(port)} is closed`),
    ...(differs ? [`Deployment: the image exposes ${image.ports.join()}, not ${numbers.join()}`] : []),
  ]
}

/** A Secret is not looked for where none is rendered: the operator makes that one. */
function findLostNames(
  manifests: readonly Manifest[],
  { template }: Deployment,
  { MAPPING_FILE: mappingFile = '' }: Readonly<Record<string, string>>,
): readonly string[] {
  const { containers, serviceAccountName, volumes } = template.spec
  const { env, envFrom, volumeMounts } = containers[0]
  const secrets = manifests.filter(({ kind }) => kind === 'Secret')
  const scaled = readSpec(manifests, 'HorizontalPodAutoscaler').scaleTargetRef
  const references: readonly (readonly [string, string])[] = [
    ['ServiceAccount', serviceAccountName],
    ...envFrom.map(({ configMapRef }) => ['ConfigMap', configMapRef.name] as const),
    ...volumes.map(({ configMap }) => ['ConfigMap', configMap.name] as const),
    [scaled.kind, scaled.name],
  ]
  const lostKeys = env
    .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? [])
    .filter(
      ({ name, key }) => secrets.length > 0 && findNamed(secrets, 'Secret', name)?.data?.[key] === undefined,
    )
  const files = volumeMounts.flatMap(({ name, mountPath }) => {
    const volume = volumes.find((one) => one.name === name)
    const data = volume && findNamed(manifests, 'ConfigMap', volume.configMap.name)?.data
    return Object.keys(data ?? {}).map((file) => `${mountPath}/${file}`)
  })
  return [
    ...references
      .filter(([kind, name]) => findNamed(manifests, kind, name) === undefined)
      .map(([kind, name]) => `${kind} ${name}: there is none`),
    ...lostKeys.map(({ name, key }) => `Secret ${name}: there is none with ${key}`),
    ...(files.includes(mappingFile) ? [] : [`MAPPING_FILE ${mappingFile}: no volume has it`]),
  ]
}

function findWrongTimes(
  { template }: Deployment,
  settings: Readonly<Record<string, string>>,
  { waitSeconds }: ImageFacts,
): readonly string[] {
  const { terminationGracePeriodSeconds: grace, containers } = template.spec
  const { startupProbe, livenessProbe, readinessProbe } = containers[0]
  const stop =
    Number(settings['SHUTDOWN_DELAY_SECONDS']) +
    Number(settings['SHUTDOWN_GRACE_SECONDS']) +
    stopMarginSeconds
  const start = startupProbe.periodSeconds * startupProbe.failureThreshold
  const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path).join()
  return [
    ...(grace < stop ? [`terminationGracePeriodSeconds: ${String(grace)} is less than ${String(stop)}`] : []),
    ...(start < waitSeconds + startMarginSeconds
      ? [`startupProbe: ${String(start)} s do not fit a start`]
      : []),
    ...(paths === '/livez,/livez,/readyz' ? [] : [`probes: ${paths}`]),
  ]
}

function findWrongSizes(
  manifests: readonly Manifest[],
  { strategy, template }: Deployment,
  settings: Readonly<Record<string, string>>,
): readonly string[] {
  const { limits } = template.spec.containers[0].resources
  const heap = Number(/--max-old-space-size=(\d+)/.exec(settings['NODE_OPTIONS'] ?? '')?.[1])
  const memory = Number(/^(\d+)Mi$/.exec(limits.memory)?.[1])
  const { maxReplicas } = readSpec(manifests, 'HorizontalPodAutoscaler')
  const perPod = Number(settings['DATABASE_POOL_SIZE']) + checkConnections
  const connections = (maxReplicas + strategy.rollingUpdate.maxSurge) * perPod
  return [
    ...(heap + memoryBesideHeap <= memory
      ? []
      : [`memory: ${String(heap)} MB of heap do not fit ${limits.memory}`]),
    ...(connections <= connectionsMax ? [] : [`maxReplicas: ${String(connections)} connections`]),
  ]
}

function findWrongUser({ template }: Deployment, { user }: ImageFacts): readonly string[] {
  const { runAsUser, runAsGroup } = template.spec.securityContext
  const own = `${String(runAsUser)}:${String(runAsGroup)}`
  return own === user ? [] : [`securityContext: the image has ${user}, not ${own}`]
}

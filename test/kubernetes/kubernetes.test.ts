import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { installTools } from '../support/foreign-tools.js'
import type { ForeignTools } from '../support/foreign-tools.js'
import { copyManifests, findObstacle, renderManifests } from '../support/manifests.js'
import type { Manifest } from '../support/manifests.js'

/*
 * The objects of docker/kubernetes against what the API of Kubernetes and the Prometheus operator define. The types
 * find fields that do not exist, as a server with strict validation does; the schemas find values out of range.
 * test/unit/docker/kubernetes.test.ts tells whether the objects fit each other.
 */

/** An API group, version and kind as a module of the packages. */
function toModule({ apiVersion }: Manifest): string {
  const isOperator = apiVersion.startsWith('monitoring.coreos.com/')
  return `${isOperator ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}`
}

const toTypes = (manifests: readonly Manifest[]): string =>
  manifests
    .map((one, index) => {
      const name = `object${String(index)}`
      const type = `import('${toModule(one)}').I${one.kind}`
      return `export const ${name}: ${type} = ${JSON.stringify(one, undefined, 2)}\n`
    })
    .join('')

const program = `
import { readFileSync } from 'node:fs'
for (const file of process.argv.slice(2))
  for (const [name, object] of JSON.parse(readFileSync(file, 'utf8'))) {
    const { [object.kind]: Kind } = await import(name)
    try {
      new Kind(object).validate()
    } catch (error) {
      console.log(file + ': ' + object.kind + ': ' + error.message)
    }
  }`

/** Kustomize breaks the lines of a long value in base64, which Kubernetes accepts and the schema does not. */
const withoutBreaks = (one: Manifest): Manifest =>
  one.kind !== 'Secret'
    ? one
    : {
        ...one,
        data: Object.fromEntries(
          Object.entries(one.data ?? {}).map(([key, text]) => [key, text.replaceAll(/\s/g, '')]),
        ),
      }

const folders = ['base', 'example'] as const

/** A change of one object of the base, in its JSON, and what must be said of it. */
const mistakes = [
  ['a field that does not exist', 'Deployment', 'periodSeconds', 'periodSecond', 'periodSecond'],
  ['a field in the wrong place', 'Deployment', '"readOnly":true', '"tier":"web"', 'tier'],
  ['a text for a number', 'Deployment', '"maxSkew":1', '"maxSkew":"1"', "'string' is not assignable"],
  ['a word that does not exist', 'Deployment', '"RuntimeDefault"', '"Runtime"', '"Runtime"'],
  ['a field of a policy', 'NetworkPolicy', '"podSelector"', '"podselector"', 'podselector'],
  ['a field of the autoscaler', 'HorizontalPodAutoscaler', '"maxReplicas"', '"maxReplica"', 'maxReplica'],
  ['a number that is too large', 'Service', '"port":80', '"port":80000000000', 'int32'],
] as const

const rendered: Partial<Record<(typeof folders)[number], readonly Manifest[]>> = {}
/** What the types and the schemas say, a line for each issue, which begins with the name of a file. */
let issues: readonly string[] = []

function listFiles(): readonly (readonly [string, readonly Manifest[]])[] {
  const { base = [] } = rendered
  const changed = mistakes.map(([, kind, right, wrong], index) => {
    const objects = base.map((one) =>
      one.kind === kind ? (JSON.parse(JSON.stringify(one).replace(right, wrong)) as Manifest) : one,
    )
    return [`mistake-${String(index)}`, objects] as const
  })
  return [...folders.flatMap((name) => (rendered[name] ? [[name, rendered[name]] as const] : [])), ...changed]
}

beforeAll(async () => {
  const copy = copyManifests()
  for (const name of folders)
    if (findObstacle(name) === undefined)
      rendered[name] = renderManifests(join(copy, name)).map(withoutBreaks)
  await rm(copy, { recursive: true })
  const tools = await installTools(import.meta.dirname)
  try {
    issues = await validate(tools, listFiles())
  } finally {
    await tools.remove()
  }
})

async function validate(
  tools: ForeignTools,
  files: readonly (readonly [string, readonly Manifest[]])[],
): Promise<readonly string[]> {
  await tools.write('validate.mjs', program)
  for (const [name, manifests] of files) {
    await tools.write(`${name}.ts`, toTypes(manifests))
    await tools.write(`${name}.json`, JSON.stringify(manifests.map((one) => [toModule(one), one])))
  }
  const compiled = await tools.compile(...files.map(([name]) => join(tools.folder, `${name}.ts`)))
  const validated = await tools.runScript('validate.mjs', ...files.map(([name]) => `${name}.json`))
  return [compiled, validated]
    .flatMap((text) => text.split('\n'))
    .filter((line) => line !== '')
    .map((line) => line.replace(/^\S*\//, ''))
}

const listIssues = (name: string): readonly string[] => issues.filter((line) => line.startsWith(`${name}.`))

test.for(folders)('docker/kubernetes/%s is what the API of Kubernetes defines', (name, { skip }) => {
  const obstacle = findObstacle(name)
  if (obstacle !== undefined) skip(obstacle)
  expect(rendered[name]!.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining([
      ...['ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'NetworkPolicy'],
      ...['PodDisruptionBudget', 'Service', 'ServiceAccount'],
      ...(name === 'base' ? [] : ['PodMonitor', 'Secret']),
    ]),
  )
  expect(listIssues(name)).toEqual([])
})

describe.skipIf(findObstacle('base') !== undefined)('the validation finds', () => {
  test.each(mistakes.map(([title, , , , expected], index) => [title, index, expected] as const))(
    '%s',
    (_, index, expected) => {
      expect(listIssues(`mistake-${String(index)}`)).toContainEqual(expect.stringContaining(expected))
    },
  )
})

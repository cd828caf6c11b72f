import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { runIn } from '../support/empty-folder.js'

interface Component {
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly licenses?: readonly unknown[]
  readonly components?: readonly Component[]
}

interface Lockfile {
  readonly packages: Readonly<
    Record<string, { readonly name?: string; readonly version: string; readonly dev?: boolean }>
  >
}

const withNested = (all: readonly Component[]): readonly Component[] =>
  all.flatMap((one) => [one, ...withNested(one.components ?? [])])

let bill: { readonly specVersion: string; readonly metadata: { readonly component: Component } }
let components: readonly Component[]

beforeAll(async () => {
  const parsed = JSON.parse(await runIn('.', 'npm run -s sbom')) as typeof bill & Component
  bill = parsed
  components = withNested(parsed.components ?? [])
})

test('the bill of materials names every package of production, once for each copy, and no other', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lockfile
  const expected = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { name = path.split('node_modules/').at(-1)!, version }]) => `${name}@${version}`)
  const listed = components.map(({ group, name, version }) =>
    [group, `${name}@${version}`].filter((part) => part !== undefined).join('/'),
  )
  expect(listed.toSorted()).toEqual(expected.toSorted())
})

test('it names the licence of each, and what it is the bill of', () => {
  expect(components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([])
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Component
  expect(bill.metadata.component).toMatchObject({ type: 'application', name, version })
})

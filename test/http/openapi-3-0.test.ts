import { describe, expect, test } from 'vitest'
import { renderOpenApi } from '../../src/tools/commands/openapi.js'
import type { Edition } from '../../src/tools/commands/openapi.js'
import { loadMapping } from '../../src/mapping/load-configuration.js'

type Part = Readonly<Record<string, unknown>>

const mapping = await loadMapping('test/product/awkward.yaml')
const read = (edition: Edition): Part => JSON.parse(renderOpenApi(mapping, '', edition)) as Part

/** The members of an object in a part of a document; a step that leads nowhere fails the test. */
function at(document: unknown, ...steps: readonly string[]): Part {
  return steps.reduce((part, step) => {
    expect(part).toHaveProperty([step])
    return part[step] as Part
  }, document as Part)
}

describe('the 3.0 edition', () => {
  test('has the same paths, names and texts as 3.1', () => {
    const [older, newer] = [read('3.0'), read('3.1')]
    expect([older['openapi'], newer['openapi']]).toEqual(['3.0.3', '3.1.0'])
    expect(listNames(older)).toEqual(listNames(newer))
    expect(older['tags']).toEqual(newer['tags'])
    expect(older['security']).toEqual(newer['security'])
  })

  test('a field that may be null is nullable, and has one type', () => {
    const due = at(read('3.0'), 'components', 'schemas', 'Invoice', 'properties', 'dueDate')
    expect([due['type'], due['nullable'], due['example']]).toEqual(['string', true, '2026-03-31'])
    const cursor = at(read('3.0'), 'components', 'schemas', 'ListMeta', 'properties', 'cursor')
    expect([cursor['type'], cursor['nullable']]).toEqual(['string', true])
    const id = at(read('3.0'), 'components', 'schemas', 'Invoice', 'properties', 'id')
    expect(id).not.toHaveProperty('nullable')
  })
})

/** Every path to a member of a document, but for what the two editions write differently. */
function listNames(document: Part): readonly string[] {
  const { openapi: _, info: __, ...rest } = document
  return Object.keys(flatten(rest))
    .map((name) => name.replace(/\/examples?(\/.*)?$|\/type(\/\d)?$|\/nullable$/, ''))
    .filter((name, index, all) => all.indexOf(name) === index)
    .toSorted()
}

function flatten(value: unknown, path = ''): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return { [path]: value }
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, one]) => flatten(one, `${path}/${name}`)),
  ) as Part
}

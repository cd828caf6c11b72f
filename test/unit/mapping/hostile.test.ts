import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildOpenApi } from '../../../src/api/openapi.js'
import { readMapping } from '../../../src/mapping/load-configuration.js'
import { describeCollections, resolveMapping } from '../../../src/mapping/resolve-mapping.js'
import { readOpenMapping } from '../../../src/tools/check/open-places.js'
import { listIssues } from '../../support/issues.js'
import { schemas, setOption, yamls } from '../../support/plain-mapping.js'

const hostile = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', 'toJSON', '']
const names = [
  ...['table', 'column', 'columns', 'from', 'on', 'where', 'equals', 'in', 'is', 'values', 'otherwise'],
  ...['when', 'then', 'first', 'constant', 'sum', 'epoch', 'as', 'json', 'fields', 'grant'],
]
const scalars = ['x', '"a.b"', '1', '-0', '1e400', '.nan', 'true', '~', '""', 'TODO', '0x10']
const quoted = hostile.map((name) => JSON.stringify(name))

/** A value as it is written in YAML, because an object of JavaScript could not have all of these names. */
const { value } = fc.letrec<{ value: string }>((tie) => {
  const name = fc.constantFrom(...hostile, ...names).map((one) => JSON.stringify(one))
  const members = fc.uniqueArray(fc.tuple(name, tie('value')), { maxLength: 4, selector: ([one]) => one })
  return {
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...scalars, ...quoted),
      fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
      members.map((all) => `{${all.map((one) => one.join(': ')).join(', ')}}`),
    ),
  }
})

/** Every place of a mapping file, and a place for each hostile name beside its options. */
function listPlaces(part: unknown, path: readonly string[] = []): readonly string[] {
  const own = path.length === 0 ? [] : [path.join('.')]
  // A list has no names.
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return own
  const beside = hostile.map((name) => [...path, name].join('.'))
  const below = Object.entries(part).flatMap(([name, one]) => listPlaces(one, [...path, name]))
  return [...own, ...beside, ...below]
}

test.each(['plain', 'awkward', 'ticketing'] as const)('each issue of %s has its three texts', (product) => {
  const yaml = yamls[product]
  const place = fc.constantFrom(...listPlaces(parse(yaml)))
  fc.assert(
    fc.property(place, value, (at, option) => {
      const text = setOption(yaml, at, option)
      const issues = listIssues(() => {
        const mapping = readMapping(text)
        resolveMapping(mapping, schemas[product])
        buildOpenApi(describeCollections(mapping), '')
      })
      const ofCheck = listIssues(() => readOpenMapping(text))
      for (const issue of [...issues, ...ofCheck]) {
        for (const text of [issue.path, issue.found, issue.allowed])
          expect(text).toMatch(/^(?!.*(?:native code|\[object |undefined))./s)
      }
    }),
    { numRuns: 60 },
  )
})

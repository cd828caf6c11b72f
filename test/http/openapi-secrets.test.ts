import { describe, expect, test } from 'vitest'
import { renderOpenApi } from '../../src/tools/commands/openapi.js'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { loadMapping } from '../../src/mapping/load-configuration.js'

const mappings = {
  plain: await loadMapping('config/mapping.yaml'),
  awkward: await loadMapping('test/product/awkward.yaml'),
}

/** Members of a mapping whose text is no name of a table or column. */
const plainWords = new Set(
  'timezone algorithm encoding format prefix invalidRows values as unit is from separator'.split(' '),
)

/** The same mapping of tables and columns that all have other names. */
function renameAll(value: unknown, renamed: string[]): unknown {
  if (typeof value === 'string') {
    renamed.push(value)
    return `renamed_${renamed.length}`
  }
  if (Array.isArray(value)) return value.map((one) => renameAll(one, renamed))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, plainWords.has(name) ? one : renameAll(one, renamed)]),
  )
}

describe('what no one outside may know', () => {
  test.each(['plain', 'awkward'] as const)(
    'the tables and columns of the %s mapping leave no trace',
    (name) => {
      const renamed: string[] = []
      const other = renameAll(mappings[name], renamed) as Mapping
      expect(renamed.length).toBeGreaterThan(25)
      expect(renderOpenApi(other, '')).toBe(renderOpenApi(mappings[name], ''))
      // Names that are words of the contract, or of English, are no trace.
      const telling = renamed.filter((text) => /[^a-z]/.test(text))
      expect(telling.length).toBeGreaterThan(5)
      for (const text of telling) expect(renderOpenApi(mappings[name], '')).not.toContain(text)
    },
  )

  test.each([
    /phone|company|job.?title|country|\bcity\b|badge|token|\bqr\b/i,
    /sub.?total|\bvat\b|discount|amount.?paid|balance/i,
    /einv|e-invoic|submission|xml|hash|cleared|clearance/i,
  ])('nothing of %s is in the document', (forbidden) => {
    for (const mapping of Object.values(mappings)) {
      // An error code of RFC 6750 is no field of a record.
      const document = renderOpenApi(mapping, '').replaceAll('invalid_token', '')
      expect(document).not.toMatch(forbidden)
    }
  })
})

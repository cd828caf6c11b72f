import { expect, test } from 'vitest'
import { MappingSchema, shareDefinitions } from '../../../src/mapping/mapping-schema.js'

test("the JSON Schema for editors is the mapping's own; `vitest -u` writes it anew", async () => {
  await expect(`${JSON.stringify(shareDefinitions(MappingSchema), null, 2)}\n`).toMatchFileSnapshot(
    '../../../config/mapping.schema.json',
  )
})

test('it says the same as the schema without definitions', () => {
  const shared = shareDefinitions(MappingSchema) as Definitions
  const expand = (text: string): unknown =>
    JSON.parse(text, (_name, value: unknown) => {
      const name = /^#\/definitions\/(\w+)$/.exec(String((value as { $ref?: string } | null)?.$ref))?.[1]
      return name === undefined ? value : expand(JSON.stringify(shared.definitions[name]))
    })
  const { definitions, ...whole } = expand(JSON.stringify(shared)) as Definitions
  expect(Object.keys(definitions)).not.toEqual([])
  expect(whole).toEqual(JSON.parse(JSON.stringify(MappingSchema)))
})

interface Definitions {
  readonly definitions: Readonly<Record<string, unknown>>
}

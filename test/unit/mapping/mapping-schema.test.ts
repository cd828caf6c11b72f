import { expect, test } from 'vitest'
import { MappingSchema } from '../../../src/mapping/mapping-schema.js'

test("the JSON Schema for editors is the mapping's own; `vitest -u` writes it anew", async () => {
  await expect(`${JSON.stringify(MappingSchema, null, 2)}\n`).toMatchFileSnapshot(
    '../../../config/mapping.schema.json',
  )
})

import { expect, test } from 'vitest'
import { MappingSchema } from '../../../src/mapping/mapping-schema.js'

test("the JSON Schema for editors is the mapping's own; `vitest --update` writes it anew", async () => {
  const definitions: Record<string, unknown> = {}
  /** A part with a title stands once. */
  const share = (node: unknown, name = ''): unknown => {
    if (typeof node !== 'object' || node === null) return node
    const parts = Object.entries(node).map(([key, part]) => [key, share(part, key)] as const)
    const mapped = Array.isArray(node) ? parts.map(([, part]) => part) : Object.fromEntries(parts)
    if (name === '' || !('title' in node)) return mapped
    definitions[String(node.title)] = mapped
    return { $ref: `#/definitions/${String(node.title)}` }
  }
  const shared = { ...(share(MappingSchema) as object), definitions }
  await expect(`${JSON.stringify(shared, null, 2)}\n`).toMatchFileSnapshot(
    '../../../config/mapping.schema.json',
  )
})

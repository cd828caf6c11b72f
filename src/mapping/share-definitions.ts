type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** A part with a shorter text stays where it is used. */
const lengthMin = 150

/** A JSON Schema in which each part that occurs several times is a definition, named after the property that it is for. */
export function shareDefinitions(schema: object): object {
  const whole = JSON.parse(JSON.stringify(schema)) as Json
  const counts = new Map<string, number>()
  countParts(whole, counts)
  const definitions = new Map<string, { readonly name: string; content: Json }>()
  const share = (node: Json, property: string): Json => {
    const text = JSON.stringify(node)
    if (!isPart(node, text) || (counts.get(text) ?? 0) < 2) return mapParts(node, property, share)
    let known = definitions.get(text)
    if (known === undefined) {
      const alike = [...definitions.values()].filter(({ name }) => name.replace(/\d+$/, '') === property)
      known = { name: alike.length === 0 ? property : `${property}${alike.length + 1}`, content: null }
      definitions.set(text, known)
      known.content = mapParts(node, property, share)
    }
    return { $ref: `#/definitions/${known.name}` }
  }
  const shared = mapParts(whole, 'file', share) as Record<string, Json>
  return {
    ...shared,
    definitions: Object.fromEntries([...definitions.values()].map(({ name, content }) => [name, content])),
  }
}

function countParts(node: Json, counts: Map<string, number>): void {
  const text = JSON.stringify(node)
  if (isPart(node, text)) counts.set(text, (counts.get(text) ?? 0) + 1)
  if (typeof node === 'object' && node !== null)
    for (const part of Object.values(node)) countParts(part, counts)
}

/** Whether it is a schema, not a record of properties. One with a default is not: ajv does not look for it behind `$ref`. */
function isPart(node: Json, text: string): boolean {
  if (typeof node !== 'object' || node === null || Array.isArray(node) || text.length < lengthMin)
    return false
  if ('default' in node) return false
  return 'anyOf' in node || typeof (node as { readonly type?: Json }).type === 'string'
}

function mapParts(node: Json, property: string, map: (part: Json, property: string) => Json): Json {
  if (Array.isArray(node)) return (node as readonly Json[]).map((part) => map(part, property))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node as Record<string, Json>).map(([name, part]) => [
      name,
      map(part, /^(?:anyOf|items|properties|patternProperties|required)$/.test(name) ? property : name),
    ]),
  )
}

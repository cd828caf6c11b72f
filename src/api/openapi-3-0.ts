import { isObject } from './openapi.js'
import type { Json } from './openapi.js'

/**
 * The OpenAPI 3.0.3 edition of our document, for tools that do not read 3.1. It converts what our document uses, which
 * is little: types with null, examples of schemas, and two members of `info`. The rest is valid in both.
 */
export function toOpenApi30(document: object): Json {
  const { openapi: _, info, components, paths, ...rest } = document as Json
  const { summary: __, license, ...plainInfo } = info as Json
  const { identifier, ...plainLicense } = license as Json
  return {
    openapi: '3.0.3',
    info: {
      ...plainInfo,
      license: { ...plainLicense, url: `https://spdx.org/licenses/${String(identifier)}.html` },
    },
    ...rest,
    paths: convertSchemas(paths),
    components: convertComponents(components as Json),
  }
}

function convertComponents({ schemas, ...others }: Json): Json {
  return {
    ...(convertSchemas(others) as Json),
    schemas: mapValues(schemas as Json, convertSchema),
  }
}

/** Finds the schemas of a part of the document, which are always the member `schema`; values of examples are data. */
function convertSchemas(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(convertSchemas)
  if (!isObject(part)) return part
  return mapValues(part, (value, name) => {
    if (name === 'schema') return convertSchema(value)
    return name === 'example' || name === 'examples' ? value : convertSchemas(value)
  })
}

function convertSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const { type, examples, properties, items, ...rest } = schema
  return {
    ...(type === undefined ? {} : convertType(type)),
    ...rest,
    ...(Array.isArray(examples) ? { example: examples[0] as unknown } : {}),
    ...(isObject(properties) ? { properties: mapValues(properties, convertSchema) } : {}),
    ...(items === undefined ? {} : { items: convertSchema(items) }),
  }
}

/** `null` is no type of 3.0, but a property of a schema with another type. */
function convertType(type: unknown): Json {
  if (!Array.isArray(type)) return { type }
  const [only, ...others] = type.filter((one) => one !== 'null') as readonly unknown[]
  if (others.length > 0) throw new Error('A schema of several types has no form in OpenAPI 3.0')
  return type.includes('null') ? { type: only, nullable: true } : { type: only }
}

function mapValues(object: Json, convert: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, convert(value, name)]))
}

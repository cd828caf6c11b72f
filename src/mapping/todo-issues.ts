import { isPair, isScalar, isSeq, visit } from 'yaml'
import type { Document, Scalar } from 'yaml'
import type { ConfigIssue } from '../errors.js'

/**
 * An issue for each place that `vitrine init` could not decide: the value `TODO`, with what to decide as the comment
 * behind it.
 *
 * @param schema the JSON Schema of the document, whose descriptions say what is allowed.
 */
export function findTodos(document: Document, schema: object): readonly ConfigIssue[] {
  const issues: ConfigIssue[] = []
  visit(document, {
    Scalar: (key, node, ancestors) => {
      if (key === 'key' || !isTodo(node)) return
      const path = listNames([...ancestors, node])
      const text = String(node.value).replace(/^TODO:? ?/, '') || (node.comment ?? '').trim()
      issues.push({
        path: path.join('.'),
        found: text === '' ? 'TODO' : `TODO: ${text}`,
        allowed: describe(schema, path) ?? 'a value in its place',
      })
    },
  })
  return issues
}

function isTodo({ value }: Scalar): boolean {
  return typeof value === 'string' && /^TODO(?:$|[: ])/.test(value)
}

/** The names of the pairs on the way to a node, and the places in lists. */
function listNames(path: readonly unknown[]): readonly string[] {
  return path.flatMap((node, at) => {
    if (isPair(node)) return isScalar(node.key) ? [String(node.key.value)] : []
    return isSeq(node) ? [String(node.items.indexOf(path[at + 1]))] : []
  })
}

/** The description of the nearest part of the schema on the way to a path. */
function describe(schema: object, path: readonly string[]): string | undefined {
  const [name, ...rest] = path
  const own =
    'description' in schema && typeof schema.description === 'string' ? schema.description : undefined
  if (name === undefined) return own
  const parts =
    'anyOf' in schema && Array.isArray(schema.anyOf) ? (schema.anyOf as readonly object[]) : [schema]
  const found = parts.flatMap((part) => {
    const properties = 'properties' in part ? (part.properties as Readonly<Record<string, object>>) : {}
    const next = properties[name]
    return next === undefined ? [] : (describe(next, rest) ?? [])
  })
  return found[0] ?? own
}

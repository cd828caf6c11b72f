import type { Failure } from './run-product.js'
import { renderCreate, renderInsert } from './server.js'

/** A failure for people: how it is repeated, the product, the request, and both answers. */
export function formatFailure(seed: number, { difference, product, question, log }: Failure): string {
  const { apiKeys, ...mapping } = product.mapping
  const tables = product.tables.filter(({ name }) => name !== apiKeys['table'])
  const key = question === undefined ? undefined : product.keys[question.key]
  return [
    `MODEL_SEED=${seed} npm run model repeats this: ${difference.what}`,
    ...tables.map((table) => `${renderCreate(table)};`),
    ...tables
      .filter(({ rows, viewOf }) => rows.length > 0 && viewOf === undefined)
      .map((table) => `${toReadable(renderInsert(table))};`),
    `mapping: ${JSON.stringify(mapping, null, 1).replaceAll(/\n\s+/g, ' ')}`,
    `request: ${difference.request}`,
    key === undefined
      ? ''
      : `key: workspace ${JSON.stringify(product.workspaces[key.workspace])}, ${key.state}`,
    `expected: ${JSON.stringify(difference.expected)}`,
    `actual: ${JSON.stringify(difference.actual)}`,
    `log: ${log.slice(0, 3000)}`,
  ].join('\n')
}

/** Texts as people read them; the bytes of other columns stay hexadecimal. */
function toReadable(sql: string): string {
  return sql.replaceAll(/_utf8mb4 x'([0-9a-f]*)'/g, (_, hex: string) =>
    JSON.stringify(Buffer.from(hex, 'hex').toString()),
  )
}

import type { ColumnKind } from '../../database/column.js'
import { toQuotedName } from '../../database/sql.js'
import type { DescribedTable } from '../description.js'
import type { Reference } from './references.js'

/** The rows that are read of each end of a table. */
const endRows = 150

/** The most rows that are read of a table. */
export const sampleMax = 2 * endRows

/**
 * Selects from all rows of a small table, else from the newest and the oldest ones by the primary key: the columns as `c0`, `c1`,
 * and of each reference as `r0`, `r1` whether its parent has the key.
 */
export function renderSample(table: DescribedTable, asked: readonly Reference[]): string {
  const columns = table.columns.map(({ name, kind, length }, i) => {
    const quoted = toQuotedName(name)
    return `${renderCell[kind]?.(quoted, length) ?? quoted} as c${i}`
  })
  const found = asked.map(({ column, parent, key }, i) => {
    const test = `parent.${toQuotedName(key)} = one.${toQuotedName(column.name)}`
    return `exists (select 1 from ${toQuotedName(parent.name)} as parent where ${test}) as r${i}`
  })
  const end = (order: string, most: number): string => {
    const by = table.primary.map((column) => `${toQuotedName(column)}${order}`).join(', ')
    const from = `${toQuotedName(table.name)} as one${by === '' ? '' : ` order by ${by}`}`
    return `(select ${[...columns, ...found].join(', ')} from ${from} limit ${most})`
  }
  const hasEnds = table.primary.length > 0 && table.rows > sampleMax
  return hasEnds ? `${end(' desc', endRows)} union all ${end('', endRows)}` : end(' desc', sampleMax)
}

type RenderCell = (quoted: string, length: number) => string | undefined

const asText: RenderCell = (quoted) => `cast(${quoted} as char)`
const isThere: RenderCell = (quoted) => `if(${quoted} is null, null, 1)`
/** Where bytes of a UUID hold its version: at the usual place, or in front, as MySQL swaps them. */
const versionOf: RenderCell = (quoted) =>
  `concat(${[1, 13, 17].map((at) => `substr(hex(${quoted}), ${at}, 1)`).join(', ')})`
/** The beginning, or behind `{` the names in a JSON object. */
const asLongText: RenderCell = (quoted) => {
  const start = `left(${quoted}, 4000)`
  // MySQL ends a statement that finds more than 100 levels in a text.
  const brackets = `char_length(${start}) - char_length(replace(replace(${start}, '{', ''), '[', ''))`
  const isObject = `if(${brackets} > 100, false, json_valid(${start}))`
  const names = `if(${isObject}, concat('{', cast(json_keys(${start}) as char)), '{')`
  return `cast(if(left(${quoted}, 1) = '{', ${names}, left(${quoted}, 60)) as char)`
}

const renderCell: Readonly<Partial<Record<ColumnKind, RenderCell>>> = {
  bit: (quoted) => `${quoted} + 0`,
  binary: (quoted, length) => (length === 16 ? versionOf : isThere)(quoted, length),
  text: (quoted, length) => (length > 255 ? asLongText(quoted, length) : undefined),
  json: asLongText,
  date: asText,
  datetime: asText,
  timestamp: asText,
  unreadable: isThere,
}

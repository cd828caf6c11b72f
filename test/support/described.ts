import { toColumn } from '../../src/database/column.js'
import type { DescribedColumn, DescribedTable, Description } from '../../src/tools/description.js'

/**
 * Tables as `init` sees them, from columns such as `id INT PRIMARY KEY`, `email VARCHAR(190)` or
 * `event_id INT NOT NULL REFERENCES events`. `KEY (a, b)` is an index.
 */
export function describeTables(
  tables: Readonly<Record<string, readonly string[]>>,
  rows = 1000,
): Description {
  return new Map(Object.entries(tables).map(([name, lines]) => [name, describeTable(name, lines, rows)]))
}

function describeTable(name: string, lines: readonly string[], rows: number): DescribedTable {
  const columns = lines.filter((line) => !line.startsWith('KEY'))
  const primary = columns.filter((line) => line.includes('PRIMARY KEY')).map(toName)
  const unique = columns.filter((line) => line.includes(' UNIQUE')).map(toName)
  const keys = lines
    .filter((line) => line.startsWith('KEY'))
    .map((line) => /\((.*)\)/.exec(line)?.[1]?.split(', ') ?? [])
  return {
    name,
    isView: false,
    rows,
    columns: columns.map(describeColumn),
    primary,
    indexes: [
      {
        name: 'PRIMARY',
        ...(primary.length === 1 ? { uniqueOn: primary[0]?.toLowerCase() } : {}),
        columns: primary,
      },
      ...unique.map((column) => ({
        name: `u_${column}`,
        uniqueOn: column.toLowerCase(),
        columns: [column, ...primary],
      })),
      ...keys.map((parts, at) => ({ name: `k_${at}`, columns: [...parts, ...primary] })),
    ],
    foreignKeys: columns.flatMap((line) => {
      const target = /REFERENCES (\S+)/.exec(line)?.[1]
      return target === undefined ? [] : [{ column: toName(line), target, key: 'id' }]
    }),
  }
}

function toName(line: string): string {
  return line.split(' ')[0] ?? ''
}

const noCharset = { characterSet: null, collation: null }
const columnLine = /^(?<name>\S+) (?<type>(?<word>[A-Z]+)(?:\((?<size>[^)]*)\))?(?: UNSIGNED)?)/

function describeColumn(line: string): DescribedColumn {
  const { name = '', type = '', word = '', size } = columnLine.exec(line)?.groups ?? {}
  const length = toLength(word, size)
  const charset = /CHAR|TEXT|ENUM/.test(word)
    ? { characterSet: 'utf8mb4', collation: 'utf8mb4_bin' }
    : noCharset
  return {
    ...toColumn({
      name,
      dataType: word,
      columnType: word === 'ENUM' ? type : type.toLowerCase(),
      nullable: !/NOT NULL|PRIMARY KEY/.test(line),
      length,
      fractionDigits: 0,
      ...charset,
    }),
    extra: '',
    comment: /COMMENT '(.*)'/.exec(line)?.[1] ?? '',
  }
}

function toLength(word: string, size: string | undefined): number {
  if (/CHAR|BINARY/.test(word)) return Number(size)
  return word === 'TEXT' ? 65_535 : 0
}

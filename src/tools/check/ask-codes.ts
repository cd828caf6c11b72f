import type { Row } from '../../database/statement.js'
import { createError, createWarning } from '../report/report.js'
import type { StatusColumn } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'
import { hasUnknownStatuses, toPublicStatus } from '../../collections/status-field.js'
import { readText } from './check-sample.js'
import { renderGroups } from './groups-sql.js'
import type { Question } from './questions.js'

/** Unknown codes that are shown, and rows that count where the whole table takes too long. */
const sizes = { codes: 20, newest: 20_000 } as const

/** The stored statuses of records that the mapping does not list, where it lists some, with the line that accepts them. */
export function askCodes({ name, table, invalidRows }: BoundCollection): readonly Question[] {
  const { status } = table
  if (!hasUnknownStatuses(status)) return []
  const limit = (status.values?.size ?? 0) + sizes.codes
  const groups = { table, found: status, isVisible: true, limit }
  const object = `${status.lookup?.table ?? table.name}.${status.column.name}`
  const question: Question = {
    object,
    unknown: 'the status codes could not be counted',
    statement: renderGroups(groups),
    sampled: renderGroups({ ...groups, newest: sizes.newest }),
    evaluate: (rows, isSampled) => {
      const unknown = rows.flatMap((row) => toUnknownCode(row, status))
      if (unknown.length === 0) return []
      const counted = unknown.map(([code, count]) => {
        const size = `${count} ${count === 1 ? 'row' : 'rows'}`
        return `${toShort(code)} (${isSampled ? 'at least ' : ''}${size})`
      })
      const problem = `has status codes that the mapping does not list: ${counted.join(', ')}`
      const codes = unknown.map(([code]) => code)
      const fix = `say what they mean in ${name}.fields.status.values: ${renderValues(codes, status)}; or ${name}.fields.status.otherwise: OTHER`
      // Under `fail`, callers cannot read the page of such a row.
      const create = invalidRows === 'fail' ? createError : createWarning
      return [create(object, problem, fix)]
    },
  }
  return [question]
}

/** NULL is no code; the sample reports it. */
function toUnknownCode(row: Row, status: StatusColumn): readonly (readonly [code: string, rows: number])[] {
  const code = readText(row['value'], status)
  if (code === undefined || toPublicStatus(code, status) !== undefined) return []
  return [[code, Number(row['rows'])]]
}

/** As YAML; a list where the stored words are the public ones. */
function renderValues(codes: readonly string[], { values = new Map() }: StatusColumn): string {
  const isList = values.size > 0 && [...values].every(([stored, shown]) => stored === shown)
  const texts = codes.map(toYaml)
  return isList
    ? `[${[...[...values.keys()].map(toYaml), ...texts].join(', ')}]`
    : `{ ${texts.map((text) => `${text}: …`).join(', ')} }`
}

function toYaml(code: string): string {
  return /^(\d{1,15}|[A-Za-z]\w*)$/.test(code) ? code : JSON.stringify(toShort(code))
}

const codeLengthMax = 40

function toShort(code: string): string {
  return code.length > codeLengthMax ? `${code.slice(0, codeLengthMax)}…` : code
}

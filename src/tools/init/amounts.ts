import type { DescribedColumn, DescribedTable } from '../description.js'
import { countPoints } from './candidate.js'
import type { Candidate, Section } from './candidate.js'
import { describeType, findColumns } from './columns.js'
import type { Written } from './columns.js'
import { listChildren, writeOwn } from './graph.js'
import type { Graph } from './graph.js'
import { patterns } from './names.js'
import { listTableWords, toSnake } from './words.js'

/** How an amount of a column is written: as it is, as decimal text, rounded, in minor units, or with a fixed scale. */
export function writeAmount(column: DescribedColumn): Written {
  const { name, kind, type } = column
  if (kind === 'decimal') return { reading: { column: name } }
  if (kind === 'text') return toWritten({ column: name, text: 'decimal' }, 'decimal numbers as text')
  if (kind === 'float') {
    // No currency has more than 4 decimals, and zeros at the end are not shown.
    const float = Math.min(4, Number(/\(\d+,(\d+)\)/.exec(type)?.[1] ?? 4))
    return toWritten({ column: name, float }, `a floating-point number, rounded to ${float} decimals`)
  }
  const text = `${toSnake(name)} ${column.comment.toLowerCase()}`
  const scale = findScale(text)
  if (scale !== undefined)
    return toWritten({ column: name, scale }, `an integer; its name or comment gives ${scale} decimals`)
  if (/(?:^|_|\b)(?:cents?|cts|minor|pence|subunits?|minor_units?)(?:_|\b|$)/.test(text))
    return toWritten({ column: name, unit: 'minor' }, 'an integer of minor units, by its name or comment')
  return {
    ...toWritten({ column: name, scale: 2 }, 'an integer, taken for hundredths'),
    verify: `what does 100 in ${name} mean? Hundredths in every currency (scale: 2), minor units of the currency (unit: minor), or whole units (scale: 0)?`,
  }
}

function toWritten(reading: Written['reading'], reason: string): Written {
  return { reading, evidence: [[0, reason]] }
}

/** The decimals that a name such as `amount_e4` or a comment such as `x 10000`, `scale 4` or `4 decimals` gives. */
function findScale(text: string): number | undefined {
  const digits = /(?:_e|\be|10\^|scale[ =:_]*(?:of )?)(\d)\b|(\d) decimals?/.exec(text)
  if (digits !== null) return Number(digits[1] ?? digits[2])
  const factor = /(?:_x|[x*×] ?|1\/)(10+)\b/.exec(text)?.[1]
  return factor === undefined ? undefined : factor.length - 1
}

/** Net amount, tax and fees, where no column has the total. */
export function listSums(table: DescribedTable): readonly Candidate[] {
  const parts = listParts(table)
  if (parts.length < 2) return []
  const label = parts.map(({ name }) => name).join(' + ')
  const discount = table.columns.find(
    ({ name, kind }) => /discount|rabatt|remise/i.test(name) && kind !== 'text',
  )
  const reason = `the sum of ${parts.map((column) => `${column.name} ${describeType(column)}`).join(', ')}`
  return [
    {
      value: writeSum(parts),
      label,
      evidence: [[8.5, reason]],
      verify: `is the total ${label}${discount === undefined ? '' : `, although there is ${discount.name}`}?`,
    },
  ]
}

function writeSum(parts: readonly DescribedColumn[]): Section {
  const sum = parts.map((part) => writeOwn(writeAmount(part).reading))
  return { sum, ...(parts.some(({ nullable }) => nullable) ? { nullIsZero: true } : {}) }
}

/** The columns of a net amount, of its tax and of fees. */
function listParts(table: DescribedTable): readonly DescribedColumn[] {
  const [net] = findColumns(table, 'net')
  const others = [...findColumns(table, 'tax').slice(0, 1), ...findColumns(table, 'fee')]
  return net === undefined ? [] : [net, ...others].map(({ column }) => column)
}

/** What the sum of the lines of an invoice is worth where the invoice has no total. */
const linePoints = 6

/** The lines of an invoice, in tables whose names say so: their totals, or net amounts and tax. */
export function listLineSums(graph: Graph, table: DescribedTable): readonly Candidate[] {
  return listChildren(graph, table).flatMap(({ child, step }): readonly Candidate[] => {
    if (!patterns.lineTable.test(listTableWords(child.name).join('_'))) return []
    const [total] = findColumns(child, 'total').filter((one) => countPoints(one) >= linePoints)
    const parts = total === undefined ? listParts(child) : [total.column]
    // Neither has an exact sum.
    const isExact = parts.every(({ kind }) => kind !== 'float' && kind !== 'text')
    if (parts.length === 0 || !isExact) return []
    const names = parts.map(({ name }) => name).join(' + ')
    const { verify } = parts.map(writeAmount).find((one) => one.verify !== undefined) ?? {}
    return [
      {
        value: { from: child.name, key: step.key, ...writeSum(parts) },
        label: `the sum of ${child.name}.${names}`,
        evidence: [
          [linePoints, `no column has the total; ${step.key} of ${child.name} leads to the invoice`],
        ],
        verify: verify ?? `is the total of an invoice the sum of ${names} over all rows of ${child.name}?`,
      },
    ]
  })
}

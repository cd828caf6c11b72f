import { addColumn, addTable, hasFlaw, oneIn, withNulls } from './draft.js'
import type { Draft, DraftTable } from './draft.js'
import {
  drawDay,
  drawEnum,
  drawFlag,
  drawInteger,
  drawJson,
  drawSet,
  drawStored,
  drawText,
  drawTime,
  listFitting,
} from './draw-columns.js'
import type { DrawnTime } from './draw-columns.js'
import { drawCounter, drawSpot, toOption } from './draw-lookups.js'
import type { Lookups, Spot } from './draw-lookups.js'
import { drawCases, drawTest, isLikely, isUnlikely } from './draw-tests.js'
import type { Cell } from './product.js'
import type { Given, Section } from './mapping.js'

const names = [
  ...['نورة', "O'Neill", '', ' ', 'a?b', 'Zoë', 'Ωmega', '😀', 'Nguyễn', '<b>', '\u00a0', 'x\\y'],
  ...['"q"'],
]
const codes = [
  'NEW',
  'new',
  'Néw',
  'OK',
  'ok',
  'OK ',
  'DONE',
  '1',
  '',
  '__proto__',
  'constructor',
  'toString',
]
const labels = ['NEW', 'OK', 'constructor']
const numbers = ['0', '1', '2', '7', '99']
const currencies = ['SAR', 'SAR', 'KWD', 'JPY', 'sar', 'USD', 'CLF', 'HRK']
const oddCurrencies = ['zzz', '', '', ' ', 'SA', 'ſAR', 'SAR ', '$$$']

const stored = { charset: 'utf8-in-latin1' } as const

/** Where the fields of a section are. */
export interface SectionDraft {
  readonly draft: Draft
  readonly lookups: Lookups
  readonly table: DraftTable
}

/** Text, or the first of several places that has one. */
export function drawTextField(section: SectionDraft, what: string): Given {
  return drawFirst(section, ['x', 'né'], () => drawTextPlace(section, what))
}

/** One place, or the first of several that has a value. */
export function drawFirst(
  { draft }: Pick<SectionDraft, 'draft'>,
  constants: readonly string[],
  draw: () => Given,
): Given {
  if (!oneIn(draft, 4)) return draw()
  const places = Array.from({ length: 1 + draft.random.whole(2) }, draw)
  return { first: [...places, oneIn(draft, 2) ? { constant: draft.random.pick(constants) } : draw()] }
}

function drawTextPlace(section: SectionDraft, what: string, texts = names): Given {
  const { draft, lookups, table } = section
  const spot = drawSpot(draft, lookups, table, 5)
  if (oneIn(draft, 6))
    return toOption(spot, addColumn(draft, spot.table, what, drawStored(draft, texts)), stored)
  if (!oneIn(draft, 5)) return toOption(spot, addColumn(draft, spot.table, what, drawText(draft, texts)))
  const { column, json } = drawJson(draft, texts)
  return toOption(spot, addColumn(draft, spot.table, what, column), { json })
}

/** Text or an integer. */
export function drawReference(section: SectionDraft): Given {
  return drawFirst(section, ['none'], () => drawReferencePlace(section))
}

function drawReferencePlace(section: SectionDraft): Given {
  const { draft, lookups, table } = section
  if (oneIn(draft, 4)) return drawTextPlace(section, 'number')
  const spot = drawSpot(draft, lookups, table, 6)
  const drawn = oneIn(draft, 2) ? drawText(draft, ['INV-1', 'inv-1', '007']) : drawInteger(draft, numbers)
  return toOption(spot, addColumn(draft, spot.table, 'number', drawn))
}

/** One column or several, or the first of several such. */
export function drawName(section: SectionDraft): Given {
  return drawFirst(section, ['x'], () => drawNamePlace(section))
}

function drawNamePlace(section: SectionDraft): Given {
  const { draft, lookups, table } = section
  if (oneIn(draft, 2)) return drawTextPlace(section, 'name')
  const spot = drawSpot(draft, lookups, table, 4)
  const isStored = oneIn(draft, 6)
  const columns = ['first', 'last', 'title']
    .slice(0, 1 + draft.random.whole(3))
    .map((what) => addColumn(draft, spot.table, what, (isStored ? drawStored : drawText)(draft, names)))
  const separated = draft.random.pick([
    {},
    { separator: ' ' },
    { separator: ', ' },
    { separator: '' },
    { separator: '?' },
  ])
  return { ...spot.lookup, columns, ...separated, ...(isStored ? stored : {}) }
}

/** A column with or without words, or one derived from several. */
export function drawStatus({ draft, lookups, table }: SectionDraft): Given {
  if (oneIn(draft, 4))
    return {
      when: drawCases(draft, lookups, table),
      ...draft.random.pick([{}, { otherwise: 'OPEN' }, { otherwise: 'ISSUED' }]),
    }
  const spot = drawSpot(draft, lookups, table, 3)
  const kind = draft.random.pick(['text', 'text', 'enum', 'set', 'integer'] as const)
  const drawn = { text: drawText, enum: drawEnum, set: drawSet, integer: drawInteger }[kind]
  const known = { text: codes, enum: labels, set: labels, integer: numbers }[kind]
  const state = drawn(draft, known)
  const column = addColumn(draft, spot.table, 'state', state)
  const values = drawValues(draft, listFitting(known, state))
  if (values === undefined) return toOption(spot, column)
  const otherwise = oneIn(draft, 2) ? { otherwise: draft.random.pick(['OTHER', 'NEW']) } : {}
  return { ...spot.lookup, column, values, ...otherwise }
}

function drawValues(draft: Draft, stored: readonly string[]): Record<string, string> | string[] | undefined {
  const { random } = draft
  const kind = random.whole(4)
  if (kind === 0) return undefined
  const listed = stored.filter(() => !hasFlaw(draft, 5))
  const some = listed.length === 0 ? stored : listed
  if (kind === 1) return [...new Set(some.filter((word) => word !== ''))]
  return Object.fromEntries(
    some.map((code) => [code, random.pick(['NEW', 'OK', 'DONE', 'new', '__proto__'])]),
  )
}

/** The time of change: a column, or one that is NULL before the first change with one that counts until then. */
export function drawChangeTime({ draft, table }: SectionDraft): Given {
  const time = drawTime(draft)
  if (!oneIn(draft, 3)) return toTimeOption(draft, { table }, 'updated', time)
  const { column } = time
  const draw = (): Cell => (oneIn(draft, 2) ? null : column.draw())
  // Where it cannot be NULL, a zero date stands for none.
  const changed = oneIn(draft, 4) ? column : { ...column, nullable: true, draw }
  return {
    first: [
      toTimeOption(draft, { table }, 'updated', { ...time, column: changed }),
      toTimeOption(draft, { table }, 'made', time),
    ],
  }
}

/** A column of times, which lookups may read. */
function drawMomentField({ draft, lookups, table }: SectionDraft, what: string): Given {
  return toTimeOption(draft, drawSpot(draft, lookups, table, 6), what, drawTime(draft))
}

/** A day, which lookups may read. */
export function drawDayField({ draft, lookups, table }: SectionDraft, what: string): Given {
  return toTimeOption(draft, drawSpot(draft, lookups, table, 6), what, drawDay(draft))
}

function toTimeOption(draft: Draft, spot: Spot, what: string, { column, epoch }: DrawnTime) {
  const name = addColumn(draft, spot.table, what, column)
  return toOption(spot, name, epoch === undefined ? {} : { epoch })
}

/** Whether and when a person was checked in; the time may be left out. */
export function drawCheckIn(section: SectionDraft): Section['fields'] {
  const { draft, lookups, table } = section
  const checkedInAt = oneIn(draft, 4) ? undefined : drawMomentField(section, 'entered')
  const kind = draft.random.whole(4)
  const from = checkedInAt === undefined ? { constant: false as const } : { from: 'checkedInAt' }
  const column = kind === 0 ? addColumn(draft, table, 'entered', drawFlag(draft)) : from
  const checkedIn = kind === 1 ? drawTest(draft, drawSpot(draft, lookups, table, 2), isUnlikely) : column
  return { checkedIn, ...(checkedInAt === undefined ? {} : { checkedInAt }) }
}

/** A currency: a column or the same for every row. */
export function drawCurrency(section: SectionDraft): Given {
  const { draft } = section
  if (oneIn(draft, 4)) return { constant: draft.random.pick(['SAR', 'KWD', 'JPY']) }
  if (!oneIn(draft, 3)) return drawCurrencyColumn(section)
  const columns = Array.from({ length: 1 + draft.random.whole(2) }, () => drawCurrencyColumn(section))
  return { first: [...columns, oneIn(draft, 2) ? { constant: 'JPY' } : drawCurrencyColumn(section)] }
}

function drawCurrencyColumn(section: SectionDraft): Given {
  const known = hasFlaw(section.draft, 4) ? [...currencies, ...oddCurrencies] : currencies
  return drawTextPlace(section, 'currency', known)
}

/** An amount, or a sum of several. @param drawKey adds the column of a table that refers to the ids. */
export function drawTotal(section: SectionDraft, drawKey: (lines: DraftTable) => string): Given {
  const { draft } = section
  if (oneIn(draft, 3)) return drawLines(section, drawKey)
  if (!oneIn(draft, 3)) return drawPart(section)
  const sum = Array.from({ length: 1 + draft.random.whole(3) }, () => drawPart(section))
  return { sum, ...draft.random.pick([{}, { nullIsZero: true }, { nullIsZero: false }]) }
}

const decimals = ['115.5000', '1500', '-0.0000', '0', '10.1234', '123456789012.99', '-7.1', '0.5', '1.0001']
const integers = ['0', '1', '99', '-1', '11550', '123456789']
const doubles = ['1.005', '2.675', '12.25', '-0.125', '1e21', '1e-7', '0.1', '-0.5', '1234567.891']
const decimalTexts = ['115.50', '-7', '0.0', '007.1', '-0', '10.1234567890123', '9'.repeat(59)]
const otherTexts = [
  ...['abc', '', '1,5', ' 1', '1 ', '1e3', '1e3', '+1', '.5', '.5', '5.', '--1', '٣', '0x1'],
  ...['NaN'],
]

/** The sum over rows of another table: some have a NULL, some do not count, and some rows have none. */
function drawLines({ draft, lookups }: SectionDraft, drawKey: (lines: DraftTable) => string): Given {
  const { random } = draft
  const table = addTable(draft, 'lines', random.whole(40))
  table.primary = [addColumn(draft, table, 'pk', drawCounter())]
  const key = drawKey(table)
  if (oneIn(draft, 2)) table.indexes.push([key])
  const where = Array.from({ length: random.whole(3) }, () => drawTest(draft, { table }, isLikely))
  const kinds = ['decimal', 'decimal', 'integer', 'minor', 'scale'] as const
  const section = { draft: { ...draft, isClean: false }, lookups, table }
  const sum = Array.from({ length: 1 + random.whole(2) }, () => drawPart(section, kinds))
  return {
    from: table.name,
    key,
    ...(where.length === 0 ? {} : { where }),
    sum,
    ...random.pick([{}, {}, { nullIsZero: true }, { nullIsZero: false }]),
  }
}

const partKinds = ['decimal', 'decimal', 'integer', 'minor', 'scale', 'float', 'text', 'text'] as const

function drawPart(
  { draft, table }: SectionDraft,
  kinds: readonly (typeof partKinds)[number][] = partKinds,
): Given {
  const { random } = draft
  const kind = random.pick(kinds)
  const add = (column: Parameters<typeof withNulls>[1]): string =>
    addColumn(draft, table, 'amount', withNulls(draft, column))
  if (kind === 'float') {
    const column = add({ kind: 'float', type: 'double', draw: () => random.pick(doubles) })
    return { column, float: random.whole(5) }
  }
  if (kind === 'text')
    return {
      column: addColumn(
        draft,
        table,
        'amount',
        drawText(draft, oneIn(draft, 3) ? decimalTexts : [...decimalTexts, ...otherTexts]),
      ),
      text: 'decimal',
    }
  if (kind === 'decimal') {
    const type = random.pick(['decimal(18,4)', 'decimal(20,2)', 'decimal(30,10)', 'decimal(12,0)'])
    return add({ kind: 'decimal', type, draw: () => random.pick(decimals) })
  }
  const column = add({
    kind: 'integer',
    type: random.pick(['bigint', 'int']),
    draw: () => random.pick(integers),
  })
  if (kind === 'integer') return column
  return kind === 'minor' ? { column, unit: 'minor' } : { column, scale: random.whole(5) }
}

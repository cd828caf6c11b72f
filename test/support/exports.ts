import { parseZone } from '../../src/values/zone.js'
import type { Compared, ComparedRow } from '../../src/tools/export/link.js'
import { createRandom } from '../product/random.js'
import type { Random } from '../product/random.js'

/*
 * Exports as a product would write them, from what a right mapping shows: in forms that are drawn. Encodings, titles above the
 * table and other forms of times and amounts are in test/unit/tools/export-table.test.ts.
 */

type Values = Readonly<Record<string, string | boolean | null>>

/** A column of an export: its title in English and German, and its text. */
type Column = readonly [title: readonly [string, string], read: (values: Values, line: number) => string]

/** An export of some records in a drawn form. */
export function drawExport(of: Compared, timezone: string, seed: number): { readonly bytes: Buffer } {
  const random = createRandom(seed)
  const shown = drawRows(
    of.rows.filter(({ hidden }) => hidden === ''),
    random,
  )
  const german = random.whole(2)
  const delimiter = random.pick([',', ';', '\t'])
  const decimal = random.pick(german === 1 ? [',', ', €'] : ['.', '$'])
  const zone = parseZone(random.whole(3) === 0 ? '+00:00' : timezone)
  const dates = random.pick(german === 1 ? ['iso', 'dots'] : ['iso', 'us'])
  const clock = (text: string): string => writeTime(text, zone, dates)
  const money = (text: string, currency: string): string => writeMoney(text, currency, decimal)
  const columns = drawColumns(of, random, { clock, money })
  const titles = columns.map(([title]) => title[german] ?? '')
  const lines = shown.map(({ record }, line) => columns.map(([, read]) => read(record ?? {}, line)))
  const total = random.whole(4) === 0 ? [['Total', '', String(lines.length)]] : []
  const text = [titles, ...lines, ...total]
    .map((cells) => cells.map((cell) => quote(cell, delimiter)).join(delimiter))
    .join('\r\n')
  return { bytes: Buffer.from(`${text}\n`) }
}

/** Those of one customer, of one event, or of everyone, in any order. */
function drawRows(rows: readonly ComparedRow[], random: Random): readonly ComparedRow[] {
  const one = random.pick(rows)
  const scope = random.whole(4)
  const own = rows.filter(({ workspace, record }) =>
    scope === 0
      ? true
      : workspace === one.workspace && (scope < 3 || record?.['eventId'] === one.record?.['eventId']),
  )
  const chosen = own.length < 8 ? rows : own
  const keyed = chosen.map((row) => ({ row, by: random.whole(2 ** 30) }))
  return random.whole(3) === 0 ? chosen : keyed.sort((a, b) => a.by - b.by).map(({ row }) => row)
}

function drawColumns(
  of: Compared,
  random: Random,
  write: { clock: (text: string) => string; money: (text: string, currency: string) => string },
): readonly Column[] {
  const text = (field: string) => (values: Values) => String(values[field] ?? '')
  const words = new Map<string, string>()
  const word = (status: string): string => {
    if (!words.has(status))
      words.set(
        status,
        random.whole(2) === 0
          ? status.toLowerCase()
          : `${status.charAt(0)}${status.slice(1).toLowerCase()} state`,
      )
    return words.get(status) ?? ''
  }
  const maybe = (share: number, ...columns: readonly Column[]): readonly Column[] =>
    random.whole(100) < share ? columns : []
  const time =
    (field: string): Column[1] =>
    (values) =>
      values[field] === null ? '' : write.clock(String(values[field]))
  const inWords = random.whole(2) === 0
  const status: Column = [
    ['Status', 'Status'],
    (values) => (inWords ? word(String(values['status'])) : String(values['status'])),
  ]
  const prefix = random.pick(['', '', 'No. ', 'R-'])
  const id: Column = [['ID', 'Nr.'], (values) => String(values['id'])]
  const event: Column =
    random.whole(2) === 0
      ? [
          ['Event', 'Veranstaltung'],
          (values) =>
            `Event of ${Array.from(String(values['eventId'] ?? ''))
              .reverse()
              .join('')}`,
        ]
      : [['Event ID', 'Event-ID'], text('eventId')]
  const [yes, no] = inWords ? ['Ja', 'Nein'] : ['Yes', 'No']
  const common = [
    ...maybe(40, [['Line', 'Zeile'], (_, line) => String(line + 1)]),
    ...maybe(30, [['Quantity', 'Menge'], () => '1']),
  ]
  if (of.name === 'registrations') {
    const [first, last] = [
      (values: Values) => String(values['name']).split(' ').slice(0, -1).join(' '),
      (values: Values) => String(values['name']).split(' ').at(-1) ?? '',
    ]
    const names: readonly (readonly Column[])[] = [
      [[['Name', 'Name'], text('name')]],
      [
        [['First name', 'Vorname'], first],
        [['Last name', 'Nachname'], last],
      ],
      [[['Attendee', 'Teilnehmer'], (values) => `${last(values)}, ${first(values)}`]],
    ]
    return [
      ...common,
      ...maybe(60, id),
      ...random.pick(names),
      ...maybe(85, [['Email', 'E-Mail'], text('email')]),
      ...maybe(60, event),
      ...maybe(80, status),
      ...maybe(60, [['Checked in', 'Eingecheckt'], (values) => (values['checkedIn'] === true ? yes : no)]),
      ...maybe(40, [['Check-in time', 'Check-in'], time('checkedInAt')]),
      ...maybe(70, [['Registered on', 'Angemeldet am'], time('createdAt')]),
      ...maybe(30, [['Last modified', 'Geändert'], time('updatedAt')]),
      ...maybe(30, [
        ['Note', 'Notiz'],
        (_, line) => (line % 7 === 0 ? 'first line\nsecond; "line", end' : ''),
      ]),
    ]
  }
  const currency = random.whole(2) === 0
  const amount =
    (share: number): Column[1] =>
    (values) =>
      write.money((Number(values['total']) * share).toFixed(2), currency ? '' : String(values['currency']))
  return [
    ...common,
    ...maybe(40, id),
    ...maybe(90, [['Invoice number', 'Rechnung Nr.'], (values) => `${prefix}${String(values['number'])}`]),
    ...maybe(70, [['Invoice date', 'Rechnung Datum'], time('issueDate')]),
    ...maybe(50, [['Due date', 'Fällig'], time('dueDate')]),
    ...maybe(80, status),
    ...maybe(40, [['Net', 'Netto'], amount(1 / 1.19)], [['VAT', 'MwSt'], amount(0.19 / 1.19)]),
    [
      ['Total', 'Gesamt'],
      (values) => write.money(String(values['total']), currency ? '' : String(values['currency'])),
    ],
    ...(currency ? ([[['Currency', 'Währung'], text('currency')]] as const) : []),
    ...maybe(40, event),
    ...maybe(50, [
      ['Customer', 'Kunde'],
      (values) => `Customer ${String(values['id']).length} ${String(values['number']).slice(-1)}`,
    ]),
  ]
}

function quote(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || /["\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

function writeMoney(text: string, currency: string, form: string): string {
  const [whole = '', fraction] = text.replace('-', '').split('.')
  const grouped = (mark: string): string => whole.replace(/\B(?=(\d{3})+$)/g, mark)
  const sign = text.startsWith('-') ? '-' : ''
  const join = (mark: string, point: string): string =>
    `${sign}${grouped(mark)}${fraction === undefined ? '' : `${point}${fraction}`}`
  const code = currency === '' ? '' : ` ${currency}`
  if (form === ',') return `${sign}${whole}${fraction === undefined ? '' : `,${fraction}`}${code}`
  if (form === ', €') return `${join('.', ',')}${code}`
  if (form === '$') return `${currency}${join(',', '.')}`
  return `${text}${code}`
}

function writeTime(text: string, zone: ReturnType<typeof parseZone>, form: string): string {
  const isDay = text.length === 10
  const seconds = Date.parse(text) / 1000
  const found = isDay ? undefined : zone?.toFirstLocal({ seconds: Math.floor(seconds), micros: 0 })
  const iso = new Date((found ?? { seconds }).seconds * 1000).toISOString()
  const [year, month, day] = [iso.slice(0, 4), iso.slice(5, 7), iso.slice(8, 10)]
  const hour = Number(iso.slice(11, 13))
  const half = `${hour % 12 || 12}:${iso.slice(14, 16)} ${hour < 12 ? 'AM' : 'PM'}`
  const [date, time] = {
    iso: [iso.slice(0, 10), iso.slice(11, 19)],
    us: [`${month}/${day}/${year}`, half],
    dots: [`${day}.${month}.${year}`, iso.slice(11, 16)],
  }[form]!
  return isDay ? date! : `${date} ${time}`
}

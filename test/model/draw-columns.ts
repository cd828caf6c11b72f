import { hasFlaw, oneIn, withNulls } from './draft.js'
import type { Draft, DraftColumn } from './draft.js'
import { latin1 } from './oracle-texts.js'
import type { Cell } from './product.js'

type Drawn = Omit<DraftColumn, 'name'>

const collations = [
  ...['utf8mb4_bin', 'utf8mb4_general_ci', 'utf8mb4_general_ci', 'utf8mb4_unicode_ci'],
  ...['utf8mb4_0900_ai_ci', 'utf8mb4_0900_bin', 'utf8mb3_general_ci', 'utf8mb3_bin'],
  ...['latin1_swedish_ci', 'latin1_bin', 'ascii_general_ci', 'ascii_bin'],
]

/** Whether a collation tells small letters from capitals. */
export type Exactness = 'exact' | 'inexact'

/** A collation; MariaDB has others without padding. */
export function drawCollation(draft: Draft, exactness?: Exactness): string {
  const fitting = collations.filter(
    (name) => exactness === undefined || name.endsWith('_bin') === (exactness === 'exact'),
  )
  const collation = draft.random.pick(fitting)
  if (!draft.isMariaDb) return collation
  return collation
    .replace('utf8mb4_0900_ai_ci', 'utf8mb4_unicode_520_nopad_ci')
    .replace('utf8mb4_0900_bin', 'utf8mb4_nopad_bin')
}

/** The texts that a column can hold: a mapping that names another one does not start. */
export function listFitting(
  texts: readonly string[],
  { collation }: Pick<Drawn, 'collation'>,
): readonly string[] {
  return collation?.startsWith('ascii') === true ? texts.filter((text) => /^[\x00-\x7f]*$/.test(text)) : texts
}

/**
 * A type, but for CHAR where a unique index of MariaDB over it accepts two values that are equal without padding, such as
 * "ss" and "ß": a key would name two rows.
 */
export function toKeyType(type: string, collation: string): string {
  return collation.endsWith('_nopad_ci') ? type.replace(/^char/, 'varchar') : type
}

/** A column of texts: short ones, or of any length. */
export function drawText(draft: Draft, texts: readonly string[], collation = drawCollation(draft)): Drawn {
  const isLong = oneIn(draft, 3)
  const types = isLong ? ['longtext', 'text', 'varchar(1600)'] : ['varchar(60)', 'varchar(60)', 'char(60)']
  return withNulls(draft, {
    kind: 'text',
    type: toKeyType(draft.random.pick(types), collation),
    collation,
    draw: () => (isLong && oneIn(draft, 3) ? drawLong(draft) : draft.random.pick(texts)),
  })
}

/** A text around the longest one that is shown, which has 1,000 characters. */
function drawLong(draft: Draft): string {
  const { random } = draft
  const length = random.pick([999, 1000, 1000, 1001, 1600])
  const end = random.pick(['', '', 'é', '😀', '"'])
  return random.pick(['x', 'é', '😀', ' ', '"', '\u0001']).repeat(length - Array.from(end).length) + end
}

/** Texts that were stored as UTF-8 in a column declared latin1. */
export function drawStored(draft: Draft, texts: readonly string[]): Drawn {
  const { draw, ...drawn } = drawText(draft, texts, 'latin1_swedish_ci')
  const store = (text: string): string => Array.from(Buffer.from(text), (byte) => latin1[byte]).join('')
  return {
    ...drawn,
    type: drawn.type.replace('(1600)', '(6000)'),
    draw: () => {
      const cell = draw()
      // Latin1 itself is not UTF-8.
      return cell === null || hasFlaw(draft, 6) ? cell : store(cell)
    },
  }
}

/** A column of JSON documents with these texts, in JSON or in text, and the path of one of its values. */
export function drawJson(
  draft: Draft,
  texts: readonly string[],
): { readonly column: Drawn; readonly json: string } {
  const { random } = draft
  const isLoose = hasFlaw(draft, 2)
  const values = [...texts, 12, -7, true, false, null, null, null, ...(isLoose ? [{ a: 1 }, ['x']] : [])]
  const pick = (): unknown => (oneIn(draft, 6) ? drawLong(draft) : random.pick(values))
  const drawDocument = (): string => {
    if (isLoose && oneIn(draft, 4)) return random.pick(['[]', '"text"', '7', 'null', '{}'])
    return JSON.stringify({ a: pick(), b: { c: pick(), 'd e': [pick(), pick()] } })
  }
  const json = random.pick([
    '$.a',
    '$.a',
    '$.b.c',
    '$.b."d e"[1]',
    ...(isLoose ? ['$.b', '$.none', '$[0]'] : []),
  ])
  if (oneIn(draft, 2) && !draft.isMariaDb)
    return { json, column: withNulls(draft, { kind: 'json', type: 'json', draw: drawDocument }) }
  // MariaDB takes an escape that JSON does not have, and finds other values beside it.
  const escaped = String.raw`{"a": "\q", "b": {"c": "\q", "d e": ["\q", "\q"]}}`
  const others = ['', 'no JSON', '{"a": ', "{'a': 1}", json === '$.none' ? '[' : escaped]
  const drawOther = (): Cell =>
    isLoose && oneIn(draft, 2) ? random.pick(others) : drawNested(draft, drawDocument(), isLoose)
  const draw = (): Cell => (oneIn(draft, isLoose ? 3 : 6) ? drawOther() : drawDocument())
  const collation = random.pick(['utf8mb4_bin', 'utf8mb4_general_ci'])
  return { json, column: withNulls(draft, { kind: 'text', type: 'longtext', collation, draw }) }
}

/** A document with many brackets, in texts too: of few levels, or of more than MySQL, and so MariaDB, takes for JSON. */
function drawNested({ random }: Draft, document: string, isLoose: boolean): string {
  const levels = random.pick(isLoose ? [20, 101, 150] : [20])
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"[": ', '}'],
    ['["]\\"", ', ', "["]'],
    ['{"]]]": [], "{": ', '}'],
  ])
  const beside = random.pick(['', '["[", {"}": "\\\\"}, 1.5], '.repeat(60)])
  return document.replace(/\}$/, `, "z": [${beside}${open.repeat(levels)}1${close.repeat(levels)}]}`)
}

/** A column of labels; what is none is stored as the error value. */
export function drawEnum(draft: Draft, labels: readonly string[]): Drawn {
  return withNulls(draft, {
    kind: 'text',
    type: `enum(${quoteLabels(labels)})`,
    collation: 'utf8mb4_bin',
    draw: () => (hasFlaw(draft, 6) ? 'no label' : draft.random.pick(labels)),
  })
}

/** A column of none, one or several labels. */
export function drawSet(draft: Draft, labels: readonly string[]): Drawn {
  const sets = ['', ...labels, ...labels, labels.join()]
  const draw = (): Cell => draft.random.pick(sets)
  return withNulls(draft, {
    kind: 'text',
    type: `set(${quoteLabels(labels)})`,
    collation: 'utf8mb4_bin',
    draw,
  })
}

function quoteLabels(labels: readonly string[]): string {
  return labels.map((label) => `'${label}'`).join(', ')
}

/** A column of small integers. */
export function drawInteger(draft: Draft, values: readonly string[]): Drawn {
  return withNulls(draft, {
    kind: 'integer',
    type: draft.random.pick(['int', 'tinyint', 'bigint', 'smallint', 'mediumint']),
    draw: () => draft.random.pick(values),
  })
}

/** A column that is 0 or 1. */
export function drawFlag(draft: Draft): Drawn {
  const draw = (): Cell => draft.random.pick(['0', '0', '1'])
  if (!oneIn(draft, 3)) return withNulls(draft, { kind: 'integer', type: 'tinyint(1)', draw })
  const type = draft.random.pick(['bit(1)', 'bit(1)', 'bit(64)'])
  const drawBits = (): Cell => (oneIn(draft, 4) ? draft.random.pick(['2', '18446744073709551615']) : draw())
  return withNulls(draft, { kind: 'bit', type, draw: type === 'bit(1)' ? draw : drawBits })
}

/** A point in time, and the unit of an integer since 1970. */
export interface DrawnTime {
  readonly column: Drawn
  readonly epoch?: 's' | 'ms' | 'us'
}

const perUnit = { s: 1_000_000n, ms: 1000n, us: 1n } as const

/** A column of times: DATETIME, TIMESTAMP or an integer; sometimes with zero dates. */
export function drawTime(draft: Draft): DrawnTime {
  const kind = draft.random.pick(['datetime', 'datetime', 'timestamp', 'epoch'] as const)
  return kind === 'epoch' ? drawEpoch(draft) : { column: drawMoment(draft, kind) }
}

/** The same, or a DATE. */
export function drawDay(draft: Draft): DrawnTime {
  if (!oneIn(draft, 2)) return drawTime(draft)
  const hasZeros = oneIn(draft, 4)
  const draw = (): Cell =>
    hasZeros && hasFlaw(draft, 4)
      ? draft.random.pick(/^[+-]/.test(draft.zone) ? [...oddDays, ...farDays] : oddDays)
      : toText(draft.random.pick(draft.instants)).slice(0, 10)
  return { column: withNulls(draft, { kind: 'date', type: 'date', draw }) }
}

const oddDays = ['0000-00-00', '2026-02-00', '2026-02-30', '2024-02-29']
/** The oracle knows the offsets of named zones in our years only. */
const farDays = ['9999-12-31', '0001-01-01']
const oddMoments = [
  '9999-12-31 23:59:59.999999',
  '0001-01-01 00:00:00',
  '2026-00-10 00:00:00',
  '2026-02-31 10:00:00',
  '1969-12-31 23:59:59.5',
]
const oddEpochs = ['0', '-1', '-1500001', '253402300800', '9223372036854775807', '-62167219201']

function drawMoment(draft: Draft, kind: 'datetime' | 'timestamp'): Drawn {
  const digits = draft.random.pick([0, 0, 1, 3, 4, 6, 6])
  const zeros = draft.random.whole(5)
  const isOdd = kind === 'datetime' && /^[+-]/.test(draft.zone) && oneIn(draft, 5)
  const draw = (): Cell => {
    if (zeros === 0 && hasFlaw(draft, 3)) return '0000-00-00 00:00:00'
    return isOdd && hasFlaw(draft, 5)
      ? draft.random.pick(oddMoments)
      : toText(draft.random.pick(draft.instants))
  }
  return withNulls(draft, { kind, type: digits === 0 ? kind : `${kind}(${digits})`, draw })
}

function drawEpoch(draft: Draft): DrawnTime {
  const epoch = draft.random.pick(['s', 'ms', 'us'] as const)
  const isOdd = oneIn(draft, 4)
  const draw = (): Cell =>
    isOdd && hasFlaw(draft, 5)
      ? draft.random.pick(oddEpochs)
      : String(draft.random.pick(draft.instants) / perUnit[epoch])
  return { epoch, column: withNulls(draft, { kind: 'integer', type: 'bigint', draw }) }
}

function toText(micros: bigint): string {
  const text = new Date(Number(micros / 1000n)).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 23)}${String(micros % 1000n).padStart(3, '0')}`
}

const start = BigInt(Date.UTC(2026, 2, 1, 9, 30)) * 1000n
/** Around the days on which clocks change, too. */
const changes = ['2026-03-29T02:30:00', '2026-10-25T02:30:00', '2026-03-08T02:30:00', '2026-11-01T01:30:00']

/** The instants of a product. */
export function drawInstants({ whole, pick }: Draft['random'], zone: string): readonly bigint[] {
  const steps = [0n, 1n, 999n, 1000n, 500_000n, 999_999n, 1_000_000n, 3_600_000_000n, 86_400_000_000n]
  const count = 2 + whole(6)
  const near = Array.from(
    { length: count },
    () => start + pick(steps) + pick(steps) + 123_456n * BigInt(whole(2)),
  )
  if (/^[+-]/.test(zone)) return near
  const around = changes.map((text) => BigInt(Date.parse(`${text}Z`)) * 1000n)
  return [...near, ...around.flatMap((micros) => [micros, micros + BigInt(whole(4) - 2) * 1_800_000_000n])]
}

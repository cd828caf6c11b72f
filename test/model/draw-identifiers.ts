import { hasFlaw, oneIn } from './draft.js'
import type { Draft, DraftColumn } from './draft.js'
import { drawCollation, toKeyType } from './draw-columns.js'
import type { Cell } from './product.js'

/** Identifiers of one kind, from which keys and what refers to them are drawn. */
export interface Domain {
  readonly kind: 'text' | 'integer' | 'uuid'
  /** Text, decimal digits, or the 32 hexadecimal digits of a UUID in its own order. */
  readonly values: readonly string[]
}

/** A column of a domain, and how its bytes are shown. */
export interface IdentifierColumn {
  readonly column: Omit<DraftColumn, 'name'>
  readonly as?: 'uuid' | 'uuid-swapped' | undefined
  readonly zeros?: false | undefined
}

/** Equal in one collation or another. */
const twins = [
  ...['E1', 'e1', 'É1', 'E1 ', 'é1', 'E2', 'e2', 'ß', 'ss', 'x?y', "o'c", 'a`b', '٣', 'E\\1'],
  ...['Ａ1', 'e%1'],
]
const bigIntegers = ['9007199254740993', '9007199254740992', '9223372036854775807', '4611686018427387905']

/** Texts that differ by case, accent or a trailing space only, most of them. */
export function drawTwins({ random }: Draft): Domain {
  const values = random.pick([
    ['E1', 'e1', 'É1', 'E1 '],
    ['e1', 'é1', 'E1', 'e2', 'E2'],
    ['a', 'A', 'A ', 'b', 'B'],
  ])
  return { kind: 'text', values }
}

/** A domain with a few values that are hard to tell apart. */
export function drawDomain(draft: Draft, size: number, kind = drawKind(draft)): Domain {
  return { kind, values: Array.from({ length: size }, (_, at) => drawValue(draft, kind, at)) }
}

function drawKind({ random }: Draft): Domain['kind'] {
  return random.pick(['text', 'text', 'text', 'integer', 'uuid'])
}

function drawValue(draft: Draft, kind: Domain['kind'], at: number): string {
  const { random } = draft
  if (kind === 'text' && at >= twins.length) return `${random.pick(['e', 'E', 'é'])}${Math.floor(at / 2)}`
  if (kind === 'integer' && at >= twins.length) return String(at)
  if (kind === 'text') return oneIn(draft, 8) ? `e${at}` : random.pick(twins)
  if (kind === 'integer') return oneIn(draft, 4) ? random.pick(bigIntegers) : String(at + 1)
  return drawUuid(draft, at)
}

/** As UUID() makes them one after the other: only the first bytes differ, and are not UTF-8 text. */
function drawUuid(draft: Draft, at: number): string {
  const { random } = draft
  // Most of its bytes are 0.
  if (oneIn(draft, 8)) return at.toString(16).padStart(32, '0')
  const low = (0x8f3a_e2c0 + at * 2 + random.whole(2)).toString(16)
  return `${low}88d111f0b8de0242ac120002`
}

/** The ids of a table: as many as there are rows, hard to tell apart. */
export function drawIds(draft: Draft, size: number): Domain {
  const { random } = draft
  const kind = drawKind(draft)
  const draw = (at: number): string => {
    if (kind !== 'text') return kind === 'uuid' ? drawUuid(draft, at) : String(drawNumber(draft, at))
    if (oneIn(draft, 60)) return `${'long'.repeat(12)}${at}`
    const ends = ['', '', ' ', '?', "'", '/', '%', 'é', '+', '&a=b', '"']
    return `${random.pick(['r', 'R', 'é', 'E', 'Z', 'z'])}${at % 7}${random.pick(ends)}`
  }
  return { kind, values: Array.from({ length: size }, (_, at) => draw(at)) }
}

function drawNumber(draft: Draft, at: number): bigint {
  if (oneIn(draft, 4)) return 9_007_199_254_740_991n + BigInt(draft.random.whole(4))
  return BigInt(at + 1)
}

/** A column of the domain. */
export function drawIdentifier(
  draft: Draft,
  { kind, values }: Domain,
  given: {
    readonly nullable: boolean
    readonly collation?: string | undefined
    readonly as?: IdentifierColumn['as']
    readonly draw?: () => Cell
  },
): IdentifierColumn {
  const { random } = draft
  const { nullable } = given
  const draw = given.draw ?? ((): Cell => (nullable && hasFlaw(draft, 8) ? null : random.pick(values)))
  if (kind === 'integer') {
    const type = random.pick(['bigint', 'bigint unsigned', 'bigint', 'bigint(20) unsigned zerofill'])
    const zeros = type.endsWith('zerofill') && draft.tables.length % 2 === 0 ? false : undefined
    return { column: { kind, type, nullable, draw }, zeros }
  }
  if (kind === 'text') {
    const type = random.pick(['varchar(60)', 'varchar(60)', 'varchar(120)', 'char(60)'])
    const collation = given.collation ?? drawCollation(draft)
    return { column: { kind, type: toKeyType(type, collation), collation, nullable, draw } }
  }
  const as = given.as ?? random.pick(['uuid', 'uuid-swapped'] as const)
  const toStored = (value: Cell): Cell => (value === null || as === 'uuid' ? value : swap(value))
  return { as, column: { kind: 'binary', type: 'binary(16)', nullable, draw: () => toStored(draw()) } }
}

/** As UUID_TO_BIN(…, 1) stores it. */
export function swap(hex: string): string {
  return hex.slice(12, 16) + hex.slice(8, 12) + hex.slice(0, 8) + hex.slice(16)
}

/** The public text of a value. */
export function toPublic({ kind }: Domain, value: string): string {
  if (kind !== 'uuid') return value
  return value.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

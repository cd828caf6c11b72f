import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** The type that a column must have for a rule; `columns.ts` says what each means. */
export type ColumnType =
  | 'any' | 'amount' | 'currency' | 'day' | 'flag' | 'hash' | 'list' | 'mark' | 'moment' | 'nullable'
  | 'reference' | 'sign' | 'status' | 'text' | 'time' | 'word' // prettier-ignore

/** The names of rules for columns in `names.yaml`. */
export type RuleName =
  | 'createdAt' | 'updatedAt' | 'checkedInAt' | 'checkedIn' | 'email' | 'fullName' | 'firstName' | 'lastName' | 'number'
  | 'currency' | 'currencyCode' | 'issueDate' | 'dueDate' | 'total' | 'net' | 'tax' | 'fee' | 'status' | 'statusWord'
  | 'kind' | 'refunded' | 'cancelled' | 'rejected' | 'waitlisted' | 'confirmed' | 'attending' | 'void' | 'paid'  | 'archived' | 'otherKind'
  | 'invoiced' | 'primary' | 'startsAt' | 'seats' | 'currencyOrKey' | 'invoicedColumn'
  | 'checkedInOn' | 'keyValueKey' | 'keyValue' | 'keyHash' | 'keyScopes' | 'keyExpires' | 'keyRevoked' // prettier-ignore

type NounName = 'tenant' | 'event' | 'registration' | 'invoice' | 'person' | 'order' | 'currency' | 'apiKey'
type PatternName =
  | 'registrationType' | 'otherThanRegistration' | 'invoiceType' | 'archivedCode' | 'staff' | 'received' | 'ownName' | 'staffTable' | 'placeTable' | 'otherSystem' | 'settingsTable'
  | 'checkInTable' | 'validEntry' | 'undoneEntry' | 'entryCode' | 'attendedCode' | 'linkTable' | 'lineTable' | 'bank' | 'bankColumn' | 'accountWord' | 'payer' // prettier-ignore

/** Names with what they are worth, by language. */
type Names = Readonly<Record<string, Readonly<Record<number, string>>>>

interface NamesFile {
  readonly abbreviations: Readonly<Record<string, string>>
  readonly last: Readonly<Record<string, string>>
  readonly drop: Readonly<Record<'time' | 'flag', string>>
  readonly columns: Readonly<Record<RuleName, ColumnEntry>>
  readonly nouns: Readonly<Record<NounName, Names>>
  readonly patterns: Readonly<Record<PatternName, string>>
  readonly neverRead: readonly ForbiddenEntry[]
  readonly secretTables: string
}

type ColumnEntry = Names & {
  readonly type: ColumnType
  readonly drop?: 'time' | 'flag'
  readonly not?: string
  readonly notWords?: string
}

interface ForbiddenEntry extends Omit<ForbiddenKind, 'names' | 'not' | 'isDocument' | 'evenFlags'> {
  readonly names: string
  readonly types?: 'document'
  readonly evenFlags?: false
  readonly not?: string
}

/** Columns that must not be read. */
export interface ForbiddenKind {
  readonly reason: string
  /**
   * The tables whose columns are meant; `personal` ones, mapped tables, and whole tables that no mapped row leads to; `people`,
   * these and tables of people.
   */
  readonly in: 'all' | 'mapped' | 'personal' | 'people'
  /** Whether a name such as `address_id`, which holds only a key, is meant too. */
  readonly evenKeys: boolean
  /** Whether a flag of such a name, which holds a yes or no, is meant too. */
  readonly evenFlags: boolean
  /** Whether only long text, JSON and BLOB columns are meant. */
  readonly isDocument: boolean
  readonly names: RegExp
  readonly not: RegExp | undefined
}

/** How the column for a place is recognized. */
export interface ColumnRule {
  readonly type: ColumnType
  /** Words that say the type again. */
  readonly drop: ReadonlySet<string>
  /** Names that have another meaning, whatever matches. */
  readonly not: RegExp | undefined
  /** What names are worth; the most counts. */
  readonly names: readonly (readonly [points: number, names: RegExp])[]
}

const file = parse(readFileSync(new URL('./names.yaml', import.meta.url), 'utf8')) as NamesFile

const toWords = (text: string): readonly string[] => text.trim().split(/\s+/)

function toWhole(text: string): RegExp {
  return new RegExp(`^(?:${toWords(text).join('|')})$`)
}

/** The points and names of all languages. */
function listNames(names: Names): readonly (readonly [points: number, names: string])[] {
  return Object.values(names)
    .filter((one) => typeof one === 'object')
    .flatMap((levels) => Object.entries(levels).map(([points, text]) => [Number(points), text] as const))
}

function mapValues<Name extends string, From, To>(
  values: Readonly<Record<Name, From>>,
  toValue: (value: From) => To,
): Readonly<Record<Name, To>> {
  const entries = Object.entries<From>(values).map(([name, value]) => [name, toValue(value)])
  return Object.fromEntries(entries) as Record<Name, To>
}

/** Short forms, with the words that they stand for; `atEnd` are those that mean it only at the end of a name. */
export const abbreviations = {
  anywhere: new Map(Object.entries(file.abbreviations)),
  atEnd: new Map(Object.entries(file.last)),
}

/** The rules for columns. */
export const rules = mapValues(file.columns, (entry): ColumnRule => {
  const { type, drop, not, notWords } = entry
  const excluded = not ?? (notWords === undefined ? undefined : `(?:^|_)(?:${notWords})(?:_|$)`)
  return {
    type,
    drop: new Set(drop === undefined ? [] : toWords(file.drop[drop])),
    not: excluded === undefined ? undefined : new RegExp(excluded),
    names: listNames(entry).map(([points, text]) => [points, toWhole(text)]),
  }
})

/** Words for the rows of tables, in the singular, with how surely each means them. */
export const nouns = mapValues(
  file.nouns,
  (names): ReadonlyMap<string, number> =>
    new Map(listNames(names).flatMap(([points, text]) => toWords(text).map((word) => [word, points]))),
)

const longNouns = Object.values<ReadonlyMap<string, number>>(nouns)
  .flatMap((words) => [...words.keys()])
  .filter((word) => word.length >= 5)

/** A word that ends with one of these, after a word of its own. */
export const compoundNoun = new RegExp(`^.{4,}?(${longNouns.join('|')})$`)

/** Expressions over whole names or codes. */
export const patterns = mapValues(file.patterns, (text) => new RegExp(text, 'i'))

/** What `neverRead` proposes, the first that matches. */
export const forbiddenKinds: readonly ForbiddenKind[] = file.neverRead.map((entry) => ({
  ...entry,
  evenFlags: entry.evenFlags ?? true,
  isDocument: entry.types === 'document',
  names: new RegExp(`(?:^|_)(?:${toWords(entry.names).join('|')})(?:_|\\d*$)`),
  not: entry.not === undefined ? undefined : new RegExp(entry.not),
}))

/** Words at the begin or end of the name of a table of secrets. */
export const secretTables = new RegExp(`^(?:${file.secretTables})$`)

import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** How the column of a place is recognized by its name and type. */
export interface Rule {
  /** The type that the column must have; `columns.ts` says what each means. */
  readonly type: string
  /** Words that say the type again. */
  readonly drop: ReadonlySet<string>
  /** Words of another meaning, whatever matches. */
  readonly not: RegExp | undefined
  readonly levels: readonly (readonly [points: number, names: RegExp])[]
}

type Texts = Readonly<Record<string, string>>
type NamesFile = Readonly<Record<'words' | 'drop' | 'columns' | 'nouns' | 'patterns', Texts>>

const file = parse(readFileSync(new URL('./names.yaml', import.meta.url), 'utf8')) as NamesFile

function mapValues<To>(texts: Texts, to: (text: string) => To): ReadonlyMap<string, To> {
  return new Map(Object.entries(texts).map(([name, text]) => [name, to(text)]))
}

/** Words behind their points: `10 created 7 added add`. */
function readLevels(text: string): readonly (readonly [number, readonly string[]])[] {
  return [...text.matchAll(/(?:^|\s)(\d+)((?:\s+(?!\d+(?:\s|$))\S+)+)/g)].map(
    ([, points, words = '']) => [Number(points), words.trim().split(/\s+/)] as const,
  )
}

function readRule(text: string): Rule {
  const [named = '', not] = text.split(/\snot\s/)
  const [, type = '', drop = '', levels = ''] = /^(\S+)(?:\s+-(\S+))?\s+(.*)$/s.exec(named) ?? []
  return {
    type,
    drop: new Set(file.drop[drop]?.split(' ')),
    not: not === undefined ? undefined : new RegExp(`(?:^|_)(?:${not.trim().replace(/\s+/g, '|')})(?:_|$)`),
    levels: readLevels(levels).map(([points, words]) => [points, new RegExp(`^(?:${words.join('|')})$`)]),
  }
}

const nouns = mapValues(
  file.nouns,
  (text) => new Map(readLevels(text).flatMap(([points, words]) => words.map((word) => [word, points]))),
)

/** The vocabulary of `names.yaml`. */
export const names = {
  words: new Map(
    Object.entries(file.words).flatMap(([word, forms]) => forms.split(' ').map((form) => [form, word])),
  ),
  rules: mapValues(file.columns, readRule),
} as const

const patterns = mapValues(file.patterns, (text) => new RegExp(text.replace(/\s+/g, ''), 'iu'))

/** How surely a word is one for such rows; 0 for any other. */
export function weighNoun(kind: string, noun: string): number {
  return nouns.get(kind)?.get(noun) ?? 0
}

/** Whether a text matches a pattern. */
export function matches(pattern: string, text: string): boolean {
  return patterns.get(pattern)?.test(text) === true
}

import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** How a column of a role is recognized by its name and type. */
export interface Rule {
  readonly role: string
  /** The type that the column must have; `columns.ts` says what each means. */
  readonly type: string
  /** Words that say the type again. */
  readonly drop: readonly string[]
  /** Words of another meaning, whatever matches. */
  readonly not: RegExp
  readonly levels: readonly (readonly [points: number, names: RegExp])[]
}

type Texts = Readonly<Record<string, string>>
const file = parse(readFileSync(new URL('./names.yaml', import.meta.url), 'utf8')) as Readonly<
  Record<'words' | 'drop' | 'columns' | 'nouns' | 'patterns', Texts>
>
const toWords = (text: string | undefined): readonly string[] => text?.trim().split(/\s+/) ?? []

/** Words behind their points: `10 created 7 added add`. */
function readLevels(text: string): readonly (readonly [number, readonly string[]])[] {
  return [...text.matchAll(/(?:^|\s)(\d+)((?:\s+(?!\d+(?:\s|$))\S+)+)/g)].map(
    ([, points, words]) => [Number(points), toWords(words)] as const,
  )
}

function readRule([role, text]: readonly [string, string]): Rule {
  const [named = '', not = '$.'] = text.split(/\snot\s/)
  const [type = '', drop = ''] = toWords(named)
  return {
    role,
    type,
    drop: toWords(file.drop[drop.slice(1)]),
    not: new RegExp(`(?:^|_)(?:${toWords(not).join('|')})(?:_|$)`),
    levels: readLevels(named).map(([points, words]) => [points, new RegExp(`^(?:${words.join('|')})$`)]),
  }
}

/** The rules of `names.yaml` for columns. */
export const rules = Object.entries(file.columns).map(readRule)

/** The English word of each short, other or foreign one. */
export const englishWords = new Map(
  Object.entries(file.words).flatMap(([word, forms]) => toWords(forms).map((form) => [form, word])),
)

const patterns = new Map(
  Object.entries(file.patterns).map(([name, text]) => [name, new RegExp(text.replace(/\s+/g, ''), 'iu')]),
)

const nouns = new Map(Object.entries(file.nouns).map(([kind, text]) => [kind, readLevels(text)]))

/** How surely a word is one for such rows; 0 for any other. */
export function weighNoun(kind: string, noun: string): number {
  return nouns.get(kind)?.find(([, words]) => words.includes(noun))?.[0] ?? 0
}

/** Whether a text matches a pattern. */
export function matches(pattern: string, text: string): boolean {
  return patterns.get(pattern)?.test(text) === true
}

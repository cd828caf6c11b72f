import { abbreviations, compoundNoun } from './names.js'

/** The words of a name in lower case and without accents: of `createdAt`, `created_at`, `CREATED-AT` and `créé le`. */
export function toPlainWords(name: string): readonly string[] {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

/** The same with short forms written out: of `crt_at` too. */
export function splitWords(name: string): readonly string[] {
  const words = toPlainWords(name).map((word) => abbreviations.anywhere.get(word) ?? word)
  const last = words.at(-1) ?? ''
  return [...words.slice(0, -1), abbreviations.atEnd.get(last) ?? last]
}

/** A name in snake case, whatever its own case is. */
export function toSnake(name: string): string {
  return splitWords(name).join('_')
}

const irregular: Readonly<Record<string, string>> = {
  people: 'person',
  status: 'status',
  address: 'address',
  news: 'news',
  addresses: 'address',
  statuses: 'status',
}

/** A word without the plural ending of English, which is that of French and Spanish for most words too. */
export function toSingular(word: string): string {
  const known = irregular[word]
  if (known !== undefined) return known
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:sh|ch|ss|x|z)es$/.test(word)) return word.slice(0, -2)
  if (/[^sui]s$/.test(word) && word.length > 3) return word.slice(0, -1)
  return word
}

/** The words of a table's name, in the singular, without one in front or at the end that only says that it is a table. */
export function listTableWords(table: string): readonly string[] {
  return splitWords(table.replace(/^tbl_?|(?<=[a-z])_(?:info|master|header)$/gi, '')).map(toSingular)
}

/** The last word of a table's name, which says what its rows are, also where words run together: `eventregistration`. */
export function toNoun(table: string): string {
  const last = listTableWords(table).at(-1) ?? ''
  return compoundNoun.exec(last)?.[1] ?? last
}

/** The words of a column that say more than that it is a key. */
export function listStemWords(name: string): { readonly stem: readonly string[]; readonly isKey: boolean } {
  const words = splitWords(name).map(toSingular)
  const first = /^(?:id|fk|ref|current)$/.test(words[0] ?? '') && words.length > 1 ? words.slice(1) : words
  const stem = first.filter((word, at) => at < first.length - 1 || !isKeyEnd(word))
  return { stem, isKey: stem.length < words.length }
}

function isKeyEnd(word: string): boolean {
  return /^(?:id|uuid|fk|ref|key|number|guid|code)$/.test(word)
}

/** The words of a column without the leading ones that only repeat its table, in full or abbreviated. */
export function withoutTable(words: readonly string[], table: string): readonly string[] {
  const own = listTableWords(table)
  const initials = own.map(([initial = '']) => initial).join('')
  const start = words.slice(0, -1).findIndex((word) => !isWordOf(word, own, initials))
  return words.slice(start === -1 ? words.length - 1 : start)
}

function isWordOf(word: string, own: readonly string[], initials: string): boolean {
  const single = toSingular(word)
  return (
    (word.length >= 3 && own.some((one) => one.startsWith(single))) || (word.length > 1 && word === initials)
  )
}

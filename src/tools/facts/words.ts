import { englishWords } from './names.js'

/** The words of a name in lower case, without accents, in English: of `createdAt`, `crt_at`, `ERSTELLT-AM` and `créé le`. */
export function splitWords(name: string): readonly string[] {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => englishWords.get(word.toLowerCase()) ?? word.toLowerCase())
}

/** A name in snake case and English. */
export function toSnake(name: string): string {
  return splitWords(name).join('_')
}

/** A word without the plural ending of English, which is that of French and Spanish for most words too. */
export function toSingular(word: string): string {
  if (/^(?:status|address|news|process|bonus|campus)$/.test(word)) return word
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:sh|ch|ss|x|z|us)es$/.test(word)) return word.slice(0, -2)
  const single = /[^sui]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
  return englishWords.get(single) ?? single
}

/** The words of a table's name, in the singular. */
export function listTableWords(table: string): readonly string[] {
  return splitWords(table.replace(/^(?:tbl|t)_/i, '')).map(toSingular)
}

/** What the rows of a table are. */
export function toNoun(table: string): string {
  return listTableWords(table).at(-1) ?? ''
}

const keyEnds = /^(?:id|uuid|fk|ref|key|number|guid|code)$/

/** The words of a column that say more than that it is a key. */
export function toStem(name: string): { readonly stem: readonly string[]; readonly isKey: boolean } {
  const words = splitWords(name.replace(/(?<=[a-z]{3})id$/, '_id')).map(toSingular)
  const first = /^(?:id|fk|for|of)$/.test(words[0] ?? '') && words.length > 1 ? words.slice(1) : words
  const stem = first.filter((word, at) => at < first.length - 1 || !keyEnds.test(word))
  return { stem, isKey: stem.length < words.length }
}

/** The words of a column without leading ones that repeat its table, in full, abbreviated or as initials. */
export function withoutTable(words: readonly string[], table: string): readonly string[] {
  const own = listTableWords(table)
  const initials = own.map(([initial = '']) => initial).join('')
  const isOwn = (word: string): boolean =>
    (word.length >= 3 && own.some((one) => one.startsWith(toSingular(word)))) || word === initials
  const start = words.slice(0, -1).findIndex((word) => !isOwn(word))
  return words.slice(start === -1 ? words.length - 1 : start)
}

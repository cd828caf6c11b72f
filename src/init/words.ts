/** The words of a name in lower case, without accents: of `createdAt`, `created_at`, `CREATED-AT` and `créé le`. */
export function splitWords(name: string): readonly string[] {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
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
  buses: 'bus',
  dues: 'due',
  cours: 'cours',
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

/** The words of a table's name, in the singular. */
export function listTableWords(table: string): readonly string[] {
  return splitWords(table).map(toSingular)
}

/** The last word of a table's name, which says what its rows are. */
export function toNoun(table: string): string {
  return listTableWords(table).at(-1) ?? ''
}

/** Whether a word of a name says only that the column holds a key. */
export function isKeyWord(word: string): boolean {
  return /^(?:id|uuid|fk|ref|key|no|nr|guid|current|code)$/.test(word)
}

/**
 * The forms in which the name of a column is compared, the closest first: in snake case, and without the leading words
 * that only repeat the table, in full or abbreviated.
 */
export function listNameForms(column: string, table: string): readonly string[] {
  const words = splitWords(column)
  const own = listTableWords(table)
  const initials = own.map(([initial = '']) => initial).join('')
  const start = words.slice(0, -1).findIndex((word) => !isWordOf(word, own, initials))
  const rest = words.slice(start === -1 ? words.length - 1 : start)
  return [...new Set([words.join('_'), rest.join('_')])]
}

function isWordOf(word: string, own: readonly string[], initials: string): boolean {
  const single = toSingular(word)
  return (
    (word.length >= 3 && own.some((one) => one.startsWith(single))) || (word.length > 1 && word === initials)
  )
}

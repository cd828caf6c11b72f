/** The words of a name in lower case: of `createdAt`, `created_at`, `CREATED-AT` and `tblCreatedAt`. */
export function splitWords(name: string): readonly string[] {
  return name
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
}

/** An English word without its plural ending. */
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

/**
 * The forms in which the name of a column is compared: in snake case, and without the leading words that only repeat
 * the table, in full or abbreviated, such as `reg_status` in `event_registrations`.
 */
export function listNameForms(column: string, table: string): readonly string[] {
  const words = splitWords(column)
  const own = listTableWords(table)
  const initials = own.map(([initial = '']) => initial).join('')
  let start = 0
  while (start < words.length - 1 && isWordOf(words[start] ?? '', own, initials)) start += 1
  const forms = [words, words.slice(start)].map((part) => part.join('_'))
  return [...new Set(forms)]
}

function isWordOf(word: string, own: readonly string[], initials: string): boolean {
  const single = toSingular(word)
  return (
    (word.length >= 3 && own.some((one) => one.startsWith(single))) || (word.length > 1 && word === initials)
  )
}

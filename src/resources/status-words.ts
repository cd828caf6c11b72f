import type { StatusCases, StatusColumn } from './resolved-table.js'

/*
 * Both directions of a status, side by side: from what is stored to the public word of a record, and from a public word to
 * what a filter compares; and what is listed in neither. An option of the mapping that changes one changes all of them.
 */

type Words = Pick<StatusColumn, 'values' | 'otherwise'>

/** The public word of a stored value; undefined where the mapping does not list it. */
export function toPublicStatus(stored: string, { values, otherwise }: Words): string | undefined {
  return values === undefined ? stored : (values.get(stored) ?? otherwise)
}

/** The stored values that are shown as a word, or all those that are not, where every other value is shown so. */
export function listStoredStatuses(
  { values, otherwise }: Words,
  word: string,
): { readonly stored: readonly string[]; readonly isOther: boolean } {
  if (values === undefined) return { stored: [word], isOther: false }
  const isOther = word === otherwise
  return {
    stored: [...values].flatMap(([stored, shown]) => ((shown === word) === isOther ? [] : [stored])),
    isOther,
  }
}

/** Whether a row can have a stored value without a public word; such a value is reported. */
export function hasUnknownStatuses(status: StatusColumn | StatusCases): status is StatusColumn {
  return !('cases' in status) && status.values !== undefined && status.otherwise === undefined
}

/** The public words, each once; undefined where the mapping does not list them. */
export function listPublicStatuses(status: Words | StatusCases): readonly string[] | undefined {
  const words = 'cases' in status ? status.cases.map(({ then }) => then) : status.values?.values()
  if (words === undefined) return undefined
  return [...new Set([...words, ...(status.otherwise === undefined ? [] : [status.otherwise])])]
}

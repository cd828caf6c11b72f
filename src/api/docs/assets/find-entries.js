// What the search finds; `/mcp` searches by it too.

/** @typedef {{ title: string, place: string, url: string, text: string, words?: string }} Entry */

/** @param {Entry} entry */
const toText = ({ title, place, text, words = '' }) => `${title} ${place} ${text} ${words}`.toLowerCase()

/** Replaces each word that no entry has by the nearest of theirs. @param {Entry[]} entries @param {string[]} typed */
function correct(entries, typed) {
  const all = entries.map(toText).join(' ')
  const known = [...new Set(all.match(/[a-z]{4,}/g))]
  return typed.map((word) => {
    if (all.includes(word)) return word
    /** @param {string} one */
    const rate = (one) => one.length + (one[0] === word[0] ? 0 : 99)
    known.sort((one, other) => rate(one) - rate(other))
    /** @param {number} edits */
    const find = (edits) => known.find((one) => word.length > edits + 2 && isNear(word, one, edits))
    return find(1) ?? find(2) ?? word
  })
}

/**
 * Whether so many edits make a word the beginning of another.
 *
 * @type {(word: string, other: string, edits: number) => boolean}
 */
const isNear = (word, other, edits) => {
  if (edits < 0 || word === '') return edits >= 0
  const [rest, otherRest] = [word.slice(1), other.slice(1)]
  if (word[0] === other[0]) return isNear(rest, otherRest, edits)
  const left = edits - 1
  return isNear(rest, otherRest, left) || isNear(rest, other, left) || isNear(word, otherRest, left)
}

/**
 * Entries with every word, those first that have them in their titles.
 *
 * @param {Entry[]} entries @param {string} typed
 */
export function findEntries(entries, typed) {
  const words = correct(entries, typed.toLowerCase().split(/\s+/).filter(Boolean))
  /** @param {Entry} entry */
  const rate = (entry) => {
    const [name, all] = [entry.title.toLowerCase(), toText(entry)]
    if (!words.every((word) => all.includes(word))) return 0
    const inTitle = words.filter((word) => name.includes(word)).length
    const [isSame, starts] = [name === words.join(' '), words.some((word) => name.startsWith(word))]
    return 1 + inTitle * 2 + Number(isSame) * 2 + Number(starts)
  }
  const found = entries.filter((entry) => rate(entry) > 0)
  return { words, found: found.sort((one, other) => rate(other) - rate(one)).slice(0, 15) }
}

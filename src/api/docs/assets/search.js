// The search of the pages.

import { create, findAll, service } from './elements.js'

/** @typedef {{ title: string, place: string, url: string, text: string, words?: string }} Entry */

export function searchPages() {
  const [input] = findAll('#search', HTMLInputElement)
  const [box, results] = findAll('.search, .results', HTMLElement)
  if (!input || !box || !results) return
  box.hidden = false
  /** @type {Promise<Entry[]> | undefined} */
  let loading
  const load = () => (loading ??= fetch(`${service}/docs/search.json`).then((answer) => answer.json()))
  const show = async () => {
    if (input.value.trim() === '') return void (results.hidden = true)
    try {
      const { words, found } = findEntries(await load(), input.value)
      showResults(results, `Results for “${words.join(' ')}”: ${found.length}`, found, words)
    } catch {
      // The next character tries again.
      loading = undefined
      showResults(results, 'The search could not be loaded', [], [])
    }
  }
  input.addEventListener('input', () => void show())
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) results.hidden = true
  })
  input.addEventListener('focusin', () => void show())
  results.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) results.hidden = true
  })
  box.addEventListener('keydown', (event) => moveInResults(event, input, results))
  addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event
    const writes = target instanceof Element && target.closest('input, select, textarea')
    if (key !== '/' || writes || ctrlKey || metaKey || altKey) return
    event.preventDefault()
    if (!input.checkVisibility()) document.getElementById('navigation')?.showPopover()
    input.focus()
  })
}

/** @param {KeyboardEvent} event @param {HTMLInputElement} input @param {HTMLElement} results */
function moveInResults(event, input, results) {
  if (event.key === 'Escape' && !results.hidden) {
    event.preventDefault()
    input.value = ''
    results.hidden = true
    input.focus()
  }
  const places = [input, ...findAll('a', HTMLAnchorElement, results)]
  const at = places.findIndex((place) => place === document.activeElement)
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Enter' && at === 0) places[1]?.click()
  if (step === undefined) return
  event.preventDefault()
  places[Math.min(Math.max(at + step, 0), places.length - 1)]?.focus()
}

/** @param {HTMLElement} results @param {string} message @param {Entry[]} found @param {string[]} words */
function showResults(results, message, found, words) {
  results.hidden = false
  const status = results.querySelector('[role="status"]')
  if (status) status.textContent = message
  const items = found.map(({ title, place, url, text }) => {
    const link = create(
      'a',
      '',
      create('strong', '', title),
      create('span', 'place', place),
      create('span', '', excerpt(text, words)),
    )
    link.href = `${service}/${url}`
    return create('li', '', link)
  })
  results.querySelector('ul')?.replaceChildren(...items)
}

/** @param {string} text @param {string[]} words */
function excerpt(text, words) {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0] ?? '') - 40)
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1
  const shown = text.slice(start, start + 110)
  const isCut = text.length > start + 110
  return `${start > 0 ? '… ' : ''}${isCut ? shown.replace(/\s\S*$/, ' …') : shown}`
}

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
function findEntries(entries, typed) {
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

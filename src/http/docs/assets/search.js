// The search of all pages.

import { create, findAll, service } from './elements.js'

/** @typedef {{ title: string, place: string, url: string, text: string }} Entry */

export function searchPages() {
  const input = document.querySelector('#search')
  const box = input?.closest('.search')
  const results = box?.querySelector('.results')
  if (!(input instanceof HTMLInputElement && box instanceof HTMLElement && results instanceof HTMLElement))
    return
  box.hidden = false
  /** @type {Promise<Entry[]> | undefined} */
  let loading
  const load = () => (loading ??= fetch(`${service}/docs/search.json`).then((answer) => answer.json()))
  const show = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const found = words.length === 0 ? [] : findEntries(await load(), words)
    showResults(results, found, words)
  }
  input.addEventListener('focus', () => void load())
  input.addEventListener('input', () => void show())
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) results.hidden = true
  })
  input.addEventListener('focusin', () => void show())
  results.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null) results.hidden = true
  })
  box.addEventListener('keydown', (event) => moveInResults(event, input, results))
  addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event
    const writes = target instanceof Element && target.closest('input, select, textarea') !== null
    if (key !== '/' || writes || ctrlKey || metaKey || altKey) return
    event.preventDefault()
    if (!input.checkVisibility()) document.getElementById('navigation')?.showPopover()
    input.focus()
  })
}

/**
 * Arrow keys go from result to result, Escape back to the page.
 *
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement} input
 * @param {HTMLElement} results
 */
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

/**
 * Entries that have every word, those first that have them in their titles.
 *
 * @param {Entry[]} entries
 * @param {string[]} words
 */
function findEntries(entries, words) {
  /** @param {Entry} entry */
  const rate = ({ title, place, text }) => {
    const [name, all] = [title.toLowerCase(), `${title} ${place} ${text}`.toLowerCase()]
    if (!words.every((word) => all.includes(word))) return 0
    const inTitle = words.filter((word) => name.includes(word)).length
    return (
      1 +
      inTitle * 2 +
      (name === words.join(' ') ? 2 : 0) +
      (words.some((word) => name.startsWith(word)) ? 1 : 0)
    )
  }
  return entries
    .map((entry) => ({ entry, rank: rate(entry) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .slice(0, 15)
    .map(({ entry }) => entry)
}

/**
 * @param {HTMLElement} results
 * @param {Entry[]} found
 * @param {string[]} words
 */
function showResults(results, found, words) {
  results.hidden = words.length === 0
  const status = results.querySelector('[role="status"]')
  if (status !== null) status.textContent = found.length === 0 ? 'Nothing found' : `${found.length} results`
  const items = found.map(({ title, place, url, text }) => {
    const link = document.createElement('a')
    link.href = `${service}/${url}`
    link.append(
      create('strong', '', ...mark(title, words)),
      create('span', 'place', place),
      create('span', '', ...mark(excerpt(text, words), words)),
    )
    return create('li', '', link)
  })
  results.querySelector('ul')?.replaceChildren(...items)
}

/**
 * @param {string} text
 * @param {string[]} words
 */
function excerpt(text, words) {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0] ?? '') - 40)
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + 110)}${text.length > start + 110 ? ' …' : ''}`
}

/**
 * @param {string} text
 * @param {string[]} words
 */
function mark(text, words) {
  const pattern = words.map((word) => word.replace(/[^\w]/g, '\\$&')).join('|')
  return text
    .split(new RegExp(`(${pattern})`, 'i'))
    .map((part, at) => (at % 2 === 1 ? create('mark', '', part) : part))
}

// The search.

import { create, createLink, findAll, service } from './elements.js'
import { findEntries } from './find-entries.js'

/** @typedef {import('./find-entries.js').Entry} Entry */

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
    const link = createLink(
      `${service}/${url}`,
      create('strong', '', ...mark(title, words)),
      create('span', 'place', place),
      create('span', '', ...mark(excerpt(text, words), words)),
    )
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

/** @param {string} text @param {string[]} words */
function mark(text, words) {
  const pattern = words.map((word) => word.replace(/[^\w]/g, '\\$&')).join('|')
  return text
    .split(new RegExp(`(${pattern})`, 'i'))
    .map((part, at) => (at % 2 === 1 ? create('mark', '', part) : part))
}

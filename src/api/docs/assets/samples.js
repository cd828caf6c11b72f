// Samples that follow the form.

import { findAll } from './elements.js'
import { readFields } from './requests.js'

/** @param {string} text */
const toShellText = (text) => `'${text.replaceAll("'", `'\\''`)}'`
/** @param {string} text */
const toDoubleQuoted = (text) => JSON.stringify(text)
/** @param {string} text */
const toSingleQuoted = (text) => `'${text.replace(/['\\]/g, '\\$&')}'`
/** @param {[string, string][]} query @param {(name: string, value: string) => string} toText */
const joinQuery = (query, toText) => query.map(([name, value]) => toText(name, value)).join(', ')
/** @param {string} name @param {string} value @param {(text: string) => string} quote */
const toLiteral = (name, value, quote) => (name === 'limit' && /^\d+$/.test(value) ? value : quote(value))

/**
 * How each language writes the query of a list.
 *
 * @type {Record<string, (query: [string, string][]) => string>}
 */
const writeQuery = {
  bash: (query) =>
    query.map(([name, value]) => ` \\\n  --data-urlencode ${toShellText(`${name}=${value}`)}`).join(''),
  typescript: (query) =>
    `{ ${joinQuery(query, (name, value) => `${name === 'limit' ? 'pageSize' : name}: ${toLiteral(name, value, toSingleQuoted)}`)} }`,
  python: (query) =>
    joinQuery(query, (name, value) => `"${name}": ${toLiteral(name, value, toDoubleQuoted)}`),
  go: (query) => joinQuery(query, (name, value) => `"${name}": {${toDoubleQuoted(value)}}`),
  php: (query) => joinQuery(query, (name, value) => `'${name}' => ${toLiteral(name, value, toSingleQuoted)}`),
}

/** Samples send what the form of their operation would send; while it is empty, they are as the page came. */
export function followForms() {
  for (const slot of findAll('[data-slot]', HTMLElement)) slot.dataset.initial = slot.textContent ?? ''
  for (const form of findAll('.try form', HTMLFormElement)) {
    const samples = findAll('.sample', HTMLElement, form.closest('.operation') ?? document)
    form.addEventListener('input', () => {
      const fields = readFields(form)
      for (const sample of samples) fillSample(sample, fields)
    })
  }
  const [variable] = findAll('#variable', HTMLInputElement)
  variable?.addEventListener('input', () => {
    const name = /^[A-Za-z_]\w*$/.test(variable.value) ? variable.value : undefined
    for (const slot of findAll('[data-slot="variable"]', HTMLElement)) fillSlot(slot, name)
  })
}

/** @param {HTMLElement} sample @param {ReturnType<typeof readFields>} fields */
function fillSample(sample, fields) {
  const { language = '' } = sample.dataset
  /** @param {string} place @returns {[string, string][]} */
  const list = (place) =>
    fields.filter((field) => field.place === place).map(({ name, value }) => [name, value])
  const [id] = list('path').map(([, value]) => value)
  const texts = {
    query: fillQuery(list('query'), language),
    headers: list('header')
      .map((pair) => ` \\\n  -H ${toShellText(pair.join(': '))}`)
      .join(''),
    id: id && (language === 'typescript' ? toSingleQuoted(id) : encodePart(id)),
  }
  for (const slot of findAll('[data-slot]', HTMLElement, sample)) {
    const { slot: name } = slot.dataset
    if (name === 'query' || name === 'headers' || name === 'id') fillSlot(slot, texts[name])
  }
}

/** @param {[string, string][]} query @param {string} language */
function fillQuery(query, language) {
  if (query.length === 0) return undefined
  const limit = /** @type {[string, string]} */ (['limit', '100'])
  const whole = query.some(([name]) => name === 'limit') ? query : [limit, ...query]
  return writeQuery[language]?.(whole)
}

/** A part of a path that can stand in any quotes. @param {string} text */
function encodePart(text) {
  return encodeURIComponent(text).replace(/[!']/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
}

/** @param {HTMLElement} slot @param {string | undefined} text */
function fillSlot(slot, text) {
  slot.textContent = text ?? slot.dataset.initial ?? ''
}

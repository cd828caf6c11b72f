// Forms that send requests.

import { create, findAll, service } from './elements.js'

export function sendRequests() {
  const keys = findAll('input[data-key]', HTMLInputElement)
  for (const key of keys) {
    // A browser can restore fields after a reload.
    key.value = ''
    key.addEventListener('input', () => {
      for (const other of keys) other.value = key.value
    })
  }
  for (const panel of findAll('.try, .your-key', HTMLElement)) panel.hidden = false
  for (const form of findAll('.try form', HTMLFormElement))
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void send(form, keys[0]?.value.trim() ?? '')
    })
}

/** @param {HTMLFormElement} form @param {string} key */
async function send(form, key) {
  const result = form.nextElementSibling
  if (!(result instanceof HTMLElement)) return
  /** @param {string} text */
  const say = (text) => result.replaceChildren(create('p', 'summary', text))
  result.hidden = false
  const mistake = findMistake(key)
  if (mistake !== '') return say(`Not sent: ${mistake}.`)
  const start = performance.now()
  say('Sending …')
  try {
    const { url, headers } = readRequest(form)
    if (key !== '') headers.set('authorization', `Bearer ${key}`)
    const response = await fetch(url, { headers, credentials: 'omit', cache: 'no-store' })
    const body = await response.text()
    const ms = Math.round(performance.now() - start)
    result.replaceChildren(...showResponse(response, body, ms))
    offerNextPage(form, result, body)
  } catch (error) {
    say(`No answer: ${String(error)}`)
  }
}

/** What is wrong with a key, and what to do; empty where nothing is. @param {string} key */
function findMistake(key) {
  if (/^bearer\s/i.test(key)) return 'enter the key alone, without “Bearer”'
  if (/^['"`“]|['"`”]$/u.test(key)) return 'enter the key without quotes'
  // Such as the … of a shortened key.
  const [strange] = key.match(/[^!-~]/u) ?? []
  return strange ? `no key contains “${strange}”. Copy the whole key again` : ''
}

/** What is filled in, without the key. @param {HTMLFormElement} form */
export function readFields(form) {
  return [...form.elements].flatMap((field) => {
    const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement
    if (!isField || field.value === '' || field.dataset.in === undefined) return []
    return [{ name: field.name, value: field.value, place: field.dataset.in }]
  })
}

/** @param {HTMLFormElement} form */
function readRequest(form) {
  let address = form.dataset.address ?? ''
  const query = new URLSearchParams()
  const headers = new Headers()
  for (const { name, value, place } of readFields(form)) {
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value))
    if (place === 'query') query.set(name, value)
    if (place === 'header') headers.set(name, value)
  }
  const url = new URL(address, location.href)
  url.search = query.toString()
  return { url, headers }
}

/** @param {Response} response @param {string} body @param {number} ms */
function showResponse(response, body, ms) {
  const { status, statusText, ok, headers, url } = response
  const fine = ok || status === 304
  const summary = create(
    'p',
    'summary',
    create('span', fine ? 'status success' : 'status', `${status} ${statusText}`.trim()),
    create('span', '', `${ms} ms`),
    create('span', '', `${(body.length / 1000).toFixed(1)} KB`),
  )
  const value = parse(body)
  const code = value?.code
  if (!fine && typeof code === 'string') {
    const link = create('a', '', `What to do about ${code}`)
    link.href = `${service}/docs/errors#${code}`
    summary.append(link)
  }
  const lines = [
    `GET ${new URL(url).pathname}${new URL(url).search}`,
    ...[...headers].map((pair) => pair.join(': ')),
  ]
  const more = create(
    'details',
    '',
    create('summary', '', 'Request and headers'),
    createPre(lines.join('\n')),
  )
  return body === '' ? [summary, more] : [summary, ...showBody(body, value, fine, more)]
}

/** @param {string} body @param {{ detail?: unknown } | undefined} value @param {boolean} fine @param {HTMLElement} more */
function showBody(body, value, fine, more) {
  const shown = createPre(value === undefined ? body : JSON.stringify(value, null, 2))
  const detail = !fine && typeof value?.detail === 'string' ? [create('p', 'detail', value.detail)] : []
  return [...detail, more, shown]
}

/** @param {string} body */
function parse(body) {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** @param {string} text */
function createPre(text) {
  const pre = create('pre', '', create('code', '', text))
  pre.tabIndex = 0
  return pre
}

/** @param {HTMLFormElement} form @param {HTMLElement} result @param {string} body */
function offerNextPage(form, result, body) {
  const cursor = parse(body)?.meta?.cursor
  const field = form.elements.namedItem('cursor')
  if (typeof cursor !== 'string' || !(field instanceof HTMLInputElement)) return
  const next = create('button', '', 'Next page')
  next.type = 'button'
  next.addEventListener('click', () => {
    field.value = cursor
    field.dispatchEvent(new Event('input', { bubbles: true }))
    form.requestSubmit()
  })
  result.querySelector('.summary')?.append(next)
}

// The script of the documentation pages. Without it they can be read, but send no requests.
// The key is only in the fields of this page: it is not stored, and not part of a URL.

const service = new URL(document.body.dataset.service ?? '', location.href).href.replace(/\/$/, '')

/**
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} type
 * @param {ParentNode} [within]
 * @returns {T[]}
 */
function findAll(selector, type, within = document) {
  return [...within.querySelectorAll(selector)].flatMap((one) => (one instanceof type ? [one] : []))
}

/**
 * @param {string} name
 * @param {string} className
 * @param {(Node | string)[]} content
 */
function create(name, className, ...content) {
  const element = document.createElement(name)
  element.className = className
  element.append(...content)
  return element
}

/** Samples name the service as this browser does, unless it is configured. */
function nameService() {
  const unknown = 'https://vitrine.example.com'
  for (const code of findAll('.sample code, .base', HTMLElement)) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { currentNode } = walker
      currentNode.nodeValue = currentNode.nodeValue?.replace(unknown, service) ?? ''
    }
  }
}

/** The language that was chosen in one operation is shown in all. */
function chooseLanguage() {
  const choices = findAll('.tabs input', HTMLInputElement)
  for (const choice of choices)
    choice.addEventListener('change', () => {
      const top = choice.getBoundingClientRect().top
      for (const other of choices) other.checked = other.value === choice.value
      // Samples above have other heights in another language.
      scrollBy(0, choice.getBoundingClientRect().top - top)
    })
}

function copySamples() {
  for (const button of findAll('.copy', HTMLButtonElement)) {
    // Browsers have no clipboard on plain HTTP, except for this machine.
    button.hidden = !window.isSecureContext
    button.addEventListener('click', async () => {
      const shown = findAll('.sample', HTMLElement, button.closest('.samples') ?? document)
      const [sample] = shown.filter((one) => one.checkVisibility())
      await navigator.clipboard.writeText(sample?.textContent?.trim() ?? '')
      button.textContent = 'Copied'
      setTimeout(() => (button.textContent = 'Copy'), 1500)
    })
  }
}

/** The current section of the first page in the navigation. */
function followScrolling() {
  const links = findAll('#navigation a[href^="#"]', HTMLAnchorElement)
  const sections = links.flatMap(({ hash }) => document.getElementById(hash.slice(1)) ?? [])
  const page = document.querySelector('#navigation [aria-current="page"]')
  if (sections.length === 0 || page === null) return
  const mark = () => {
    const reached = sections.filter((one) => one.getBoundingClientRect().top < 160).at(-1)
    for (const link of links) {
      if (link.hash === `#${reached?.id}`) link.setAttribute('aria-current', 'location')
      else link.removeAttribute('aria-current')
    }
    if (reached === undefined) page.setAttribute('aria-current', 'page')
    else page.removeAttribute('aria-current')
  }
  addEventListener('scroll', mark, { passive: true })
  mark()
}

function closeMenu() {
  const menu = document.getElementById('navigation')
  menu?.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null && menu.matches(':popover-open'))
      menu.hidePopover()
  })
}

function sendRequests() {
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

/**
 * @param {HTMLFormElement} form
 * @param {string} key
 */
async function send(form, key) {
  const result = form.nextElementSibling
  if (!(result instanceof HTMLElement)) return
  const { url, headers } = readRequest(form)
  if (key !== '') headers.set('authorization', `Bearer ${key}`)
  const start = performance.now()
  result.hidden = false
  result.replaceChildren(create('p', 'summary', 'Sending …'))
  try {
    const response = await fetch(url, { headers, credentials: 'omit', cache: 'no-store' })
    const body = await response.text()
    const ms = Math.round(performance.now() - start)
    result.replaceChildren(...showResponse(response, body, ms))
    offerNextPage(form, result, body)
  } catch (error) {
    result.replaceChildren(create('p', 'summary', `No answer: ${String(error)}`))
  }
}

/** @param {HTMLFormElement} form */
function readRequest(form) {
  let address = form.dataset.address ?? ''
  const query = new URLSearchParams()
  const headers = new Headers()
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue
    const { name, value, dataset } = field
    if (value === '') continue
    if (dataset.in === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value))
    if (dataset.in === 'query') query.set(name, value)
    if (dataset.in === 'header') headers.set(name, value)
  }
  const url = new URL(address, location.href)
  url.search = query.toString()
  return { url, headers }
}

/**
 * @param {Response} response
 * @param {string} body
 * @param {number} ms
 */
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
    const link = document.createElement('a')
    link.href = `${service}/docs/errors#${code}`
    link.textContent = `What to do about ${code}`
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
  const shown = value === undefined ? createPre(body) : createPre(...colour(JSON.stringify(value, null, 2)))
  return body === '' ? [summary, more] : [summary, more, shown]
}

/** @param {string} body */
function parse(body) {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** @param {(Node | string)[]} content */
function createPre(...content) {
  const pre = create('pre', '', create('code', '', ...content))
  pre.tabIndex = 0
  return pre
}

/**
 * JSON with the classes that samples have.
 *
 * @param {string} json
 */
function colour(json) {
  return json.split(/("(?:[^"\\]|\\.)*"(?:\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*)/).map((part, at) => {
    if (at % 2 === 0) return part
    const name = part.endsWith(':')
      ? 'attr'
      : part.startsWith('"')
        ? 'string'
        : /\d/.test(part)
          ? 'number'
          : 'literal'
    return create('span', `hljs-${name}`, part)
  })
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} result
 * @param {string} body
 */
function offerNextPage(form, result, body) {
  const cursor = parse(body)?.meta?.cursor
  const field = form.elements.namedItem('cursor')
  if (typeof cursor !== 'string' || !(field instanceof HTMLInputElement)) return
  const next = document.createElement('button')
  next.type = 'button'
  next.textContent = 'Next page'
  next.addEventListener('click', () => {
    field.value = cursor
    form.requestSubmit()
  })
  result.querySelector('.summary')?.append(next)
}

nameService()
chooseLanguage()
copySamples()
followScrolling()
closeMenu()
sendRequests()

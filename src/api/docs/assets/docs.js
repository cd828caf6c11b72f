// The script of the pages, which can be read without it. The key is only in their fields, never stored or in a URL.

import { findAll, service } from './elements.js'
import { sendRequests } from './requests.js'
import { followForms } from './samples.js'
import { searchPages } from './search.js'

/** Samples name the service as this browser does, unless it is configured. */
function nameService() {
  const { assumed = '' } = document.body.dataset
  if (assumed === '') return
  for (const code of findAll('main code', HTMLElement)) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { currentNode } = walker
      currentNode.nodeValue = currentNode.nodeValue?.replace(assumed, service) ?? ''
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

function offerCopies() {
  // Browsers have no clipboard on plain HTTP.
  if (!window.isSecureContext) return
  for (const button of findAll('.copy, .copy-page', HTMLButtonElement)) {
    const { textContent: label } = button
    button.hidden = false
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(await readSource(button))
        button.textContent = 'Copied'
      } catch {
        button.textContent = 'Not copied'
      }
      setTimeout(() => (button.textContent = label), 1500)
    })
  }
}

/** A block as it is shown, or the page as Markdown. @param {HTMLButtonElement} button */
async function readSource({ className, parentElement }) {
  if (className === 'copy') return parentElement?.querySelector('code')?.innerText.trim() ?? ''
  const answer = await fetch(parentElement?.querySelector('a')?.href ?? '')
  if (!answer.ok) throw new Error()
  return answer.text()
}

/** The current section in the navigation, or in the contents of a guide. */
function followScrolling() {
  const links = findAll('#navigation a[href^="#"], .contents a', HTMLAnchorElement)
  const sections = links.flatMap(({ hash }) => document.getElementById(hash.slice(1)) ?? [])
  const page = document.querySelector('#navigation [aria-current="page"]')
  if (sections.length === 0 || !page) return
  const isGuide = document.querySelector('.contents')
  const mark = () => {
    const reached = sections.filter((one) => one.getBoundingClientRect().top < 160).at(-1)
    for (const link of links) {
      if (link.hash === `#${reached?.id}`) link.setAttribute('aria-current', 'location')
      else link.removeAttribute('aria-current')
    }
    if (!reached || isGuide) page.setAttribute('aria-current', 'page')
    else page.removeAttribute('aria-current')
  }
  addEventListener('scroll', mark, { passive: true })
  mark()
}

function closeMenu() {
  const menu = document.getElementById('navigation')
  menu?.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') && menu.matches(':popover-open')) menu.hidePopover()
  })
}

nameService()
chooseLanguage()
offerCopies()
followForms()
followScrolling()
closeMenu()
sendRequests()
searchPages()

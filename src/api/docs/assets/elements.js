// What the scripts share.

/** The URL of the service, without a slash at its end. */
export const service = new URL(document.body.dataset.service ?? '', location.href).href.replace(/\/$/, '')

/**
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} type
 * @param {ParentNode} [within]
 * @returns {T[]}
 */
export function findAll(selector, type, within = document) {
  return [...within.querySelectorAll(selector)].flatMap((one) => (one instanceof type ? [one] : []))
}

/** @template {keyof HTMLElementTagNameMap} N @param {N} name @param {string} className @param {(Node | string)[]} content */
export function create(name, className, ...content) {
  const element = document.createElement(name)
  element.className = className
  element.append(...content)
  return element
}

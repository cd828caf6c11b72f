import { expect, test } from 'vitest'
import { html } from '../../src/html.js'

test('a value is escaped, so that it is no markup in text or in an attribute', () => {
  const value = `<b a="1" c='2'>&amp;</b>`
  const escaped = '&#60;b a=&#34;1&#34; c=&#39;2&#39;&#62;&#38;amp;&#60;/b&#62;'
  expect(html`<p title="${value}">${value}</p>`.markup).toBe(`<p title="${escaped}">${escaped}</p>`)
})

test('markup of the template and of a template within it is kept', () => {
  expect(html`<p>${html`<b>${'<'}${0}</b>`}</p>`.markup).toBe('<p><b>&#60;0</b></p>')
})

test('the elements of an array are joined, and each is escaped or kept as if it were alone', () => {
  const items = ['a', '<', 1].map((item) => html`<li>${item}</li>`)
  expect(html`<ul>${items}${['&', [html`<li>`]]}</ul>${[]}`.markup).toBe(
    '<ul><li>a</li><li>&#60;</li><li>1</li>&#38;<li></ul>',
  )
})

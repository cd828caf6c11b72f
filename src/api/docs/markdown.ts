import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import http from 'highlight.js/lib/languages/http'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import { Marked } from 'marked'
import type { Tokens } from 'marked'
import { html } from '../../html.js'
import type { Html } from '../../html.js'
import { toAnchor } from './guides.js'

for (const [name, language] of Object.entries({ bash, go, http, json, php, python, typescript }))
  hljs.registerLanguage(name, language)

/** What the address of a link becomes; undefined if the page has no such address. */
export type ResolveLink = (href: string) => string | undefined

/** Markdown as markup. Raw HTML in it is shown as text. A link without an address becomes its text. */
export function renderMarkdown(text: string, resolveLink: ResolveLink = (href) => href): Html {
  return { markup: createMarked(resolveLink).parse(text, { async: false }) }
}

/** A text of one paragraph, without the paragraph around it. */
export function renderInline(text: string): Html {
  return { markup: createMarked((href) => href).parseInline(text, { async: false }) }
}

/** A block of code, coloured if its language is known. */
export function renderCode(code: string, language: string): Html {
  return renderCodeBlock(highlight(code, language))
}

/** Code as markup, with the classes of highlight.js if its language is known. */
export function highlight(code: string, language: string): Html {
  const known = hljs.getLanguage(language) !== undefined
  return known ? { markup: hljs.highlight(code, { language }).value } : html`${code}`
}

/** A block around code. It can be scrolled with the keyboard; the script of the page shows the button. */
export function renderCodeBlock(code: Html): Html {
  return html`<div class="code"><pre tabindex="0"><code>${code}</code></pre>
<button type="button" class="copy" hidden>Copy</button></div>
`
}

function createMarked(resolveLink: ResolveLink): Marked {
  return new Marked({
    renderer: {
      html: ({ text }: Tokens.HTML | Tokens.Tag) => html`${text}`.markup,
      code: ({ text, lang }: Tokens.Code) => renderCode(text, lang ?? '').markup,
      heading({ depth, text, tokens }: Tokens.Heading) {
        const id = toAnchor(text)
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const content = { markup: this.parser.parseInline(tokens) }
        const address = resolveLink(href)
        return address === undefined ? content.markup : html`<a href="${address}">${content}</a>`.markup
      },
      table({ header, rows }: Tokens.Table) {
        const toCells = (cells: readonly Tokens.TableCell[], name: string): string =>
          cells.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join('')
        const body = rows.map((row) => `<tr>${toCells(row, 'td')}</tr>`).join('\n')
        return `<div class="table" tabindex="0"><table><thead><tr>${toCells(header, 'th')}</tr></thead>\n<tbody>${body}</tbody></table></div>\n`
      },
    },
  })
}

import { readFileSync } from 'node:fs'
import hljs from 'highlight.js/lib/common'
import { Marked } from 'marked'
import type { Tokens } from 'marked'
import { html } from '../../html.js'
import type { Html } from '../../html.js'
import { toAnchor } from './guides.js'

/**
 * Markdown as markup. Raw HTML in it is shown as text, and links lead to pages in place of their Markdown.
 *
 * @param place if the text is a list of fields, what the id of each begins with.
 */
export function renderMarkdown(text: string, place?: string): Html {
  return { markup: createMarked(place).parse(text, { async: false }) }
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

function createMarked(place: string | undefined): Marked {
  return new Marked({
    renderer: {
      html: ({ text }: Tokens.HTML | Tokens.Tag) => html`${text}`.markup,
      code: ({ text, lang = '' }: Tokens.Code) => {
        // Behind the language stands what the block is folded under.
        const [language = '', ...label] = lang.split(' ')
        const block = renderCodeBlock(highlight(text, language))
        if (label.length === 0) return block.markup
        return html`<details class="example"><summary>${label.join(' ')}</summary>${block}</details>`.markup
      },
      heading({ depth, text, tokens }: Tokens.Heading) {
        const id = toAnchor(text)
        const content = this.parser.parseInline(tokens)
        // The parts of an operation occur in each of them.
        if (depth > 3 || depth === 1) return `<h${depth}>${content}</h${depth}>\n`
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${content}</a></h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const content = { markup: this.parser.parseInline(tokens) }
        return html`<a href="${href.replace(/^(\.[^#]*)\.md(?=#|$)/, '$1')}">${content}</a>`.markup
      },
      listitem({ tokens, loose }: Tokens.ListItem) {
        const content = this.parser.parse(tokens)
        const field = place === undefined || loose ? null : fieldPattern.exec(content)
        if (field === null) return `<li>${content}</li>\n`
        const [whole, code = '', name = '', type = ''] = field
        const id = `${place}.${name}`
        return `<li id="${id}"><a class="name" href="#${id}">${code}</a> <span class="type">${type}</span> ${content.slice(whole.length)}</li>\n`
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

/** The start of the item of a field: its name, and its type in brackets. */
const fieldPattern = /^(<code>([\w.-]+)<\/code>) \(([^)]*)\): /

/** A file of the folder `templates`. */
export function readTemplate(name: string): string {
  return readFileSync(new URL(`./templates/${name}`, import.meta.url), 'utf8')
}

/** A template with a text in place of each `${name}`. */
export function fillText(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

/** A template of markup; texts are escaped. */
export function fillMarkup(
  name: string,
  values: Readonly<Record<string, string | Html | readonly Html[]>>,
): Html {
  const entries = Object.entries(values).map(([key, value]) => [key, html`${value}`.markup] as const)
  return { markup: fillText(readTemplate(name), Object.fromEntries(entries)) }
}

import { html } from '../../html.js'
import type { Html } from '../../html.js'
import { renderInline } from './markdown.js'
import type { Field, Schema } from './read-document.js'

/**
 * Fields, parameters or headers, each with its type, its description and a link to itself.
 *
 * @param place what the id of each begins with, such as `getInvoice` or `getInvoice.header`.
 */
export function renderFields(fields: readonly Field[], place: string): Html {
  const rows = fields.map(({ name, description, required, schema }) => {
    const id = toFieldId(place, name)
    const mark = required === true ? html` <span class="required">required</span>` : ''
    return html`<div id="${id}">
<dt><a href="#${id}"><code>${name}</code></a> <span class="type">${describeType(schema)}</span>${mark}</dt>
<dd>${renderInline(description)}${renderValues(schema)}</dd>
</div>
`
  })
  return html`<dl class="fields">
${rows}</dl>
`
}

/** The id of a field on the first page. */
export function toFieldId(place: string, name: string): string {
  return `${place}.${name}`
}

/** Such as `integer, 1 to 100, default 25`. */
export function describeType({ type = 'any', format, items, minimum, maximum, ...schema }: Schema): string {
  const names = typeof type === 'string' ? [type] : type
  const name = items === undefined ? names.join(' or ') : 'array of records'
  return [
    name,
    // Others, such as int32, say nothing that the limits do not.
    format?.startsWith('date') === true ? format : undefined,
    minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : undefined,
    schema.maxItems === undefined ? undefined : `at most ${schema.maxItems}`,
    schema.default === undefined ? undefined : `default ${String(schema.default)}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ')
}

function renderValues({ enum: values }: Schema): Html | string {
  if (values === undefined) return ''
  return html`<span class="values">${values.map((value) => html`<code>${String(value)}</code> `)}</span>`
}

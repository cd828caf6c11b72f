import { html } from '../../html.js'
import type { Html } from '../../html.js'
import { renderInline } from './markdown.js'
import type { Field, Schema } from './read-document.js'

/** Fields, parameters or headers, each with its type and its description. */
export function renderFields(
  fields: readonly Field[],
  options: { readonly showRequired?: boolean } = {},
): Html {
  const rows = fields.map(({ name, description, required, schema }) => {
    const mark =
      options.showRequired === true && required ? html` <span class="required">required</span>` : ''
    return html`<div>
<dt><code>${name}</code> <span class="type">${describeType(schema)}</span>${mark}</dt>
<dd>${renderInline(description)}${renderValues(schema)}</dd>
</div>
`
  })
  return html`<dl class="fields">
${rows}</dl>
`
}

/** Such as `integer, 1 to 100, default 25`. */
function describeType({ type = 'any', format, items, minimum, maximum, ...schema }: Schema): string {
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

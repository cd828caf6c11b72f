import { problems } from '../../errors.js'
import { html } from '../../html.js'
import type { Html } from '../../html.js'
import type { Links } from './layout.js'
import { renderCode, renderInline, renderMarkdown } from './markdown.js'
import type { Field, Operation, Parameter, Schema } from './read-document.js'
import { createSamples } from './samples.js'

/** Where the operations are. */
export interface Place {
  readonly links: Links
  /** The URL of the service for samples, without a slash at its end. */
  readonly service: string
  /** What comes before the path of an operation. */
  readonly basePath: string
  /** The name of the file of the package for integrators. */
  readonly packageFile: string
}

/** The section of an operation: its description, and beside it samples, a form that sends it, and an example. */
export function renderOperation(operation: Operation, place: Place): Html {
  const { id, title, path, description, parameters } = operation
  const shown =
    parameters.length === 0
      ? ''
      : html`<h4>Parameters</h4>
${renderFields(parameters, `${id}.parameter`)}`
  return html`<section class="operation columns" id="${id}" aria-labelledby="${id}-title">
<div>
<h3 id="${id}-title">${title}</h3>
<p class="route"><span class="method">GET</span> <code>${place.basePath}${path}</code></p>
${renderMarkdown(description)}
${shown}
${renderSuccess(operation)}
${renderErrors(operation, place.links)}
</div>
<div class="side">
${renderSamples(operation, place)}
${renderForm(operation, place)}
<figure class="panel">
<figcaption>Example response <span class="status success">200</span></figcaption>
${renderCode(JSON.stringify(operation.success.example, null, 2), 'json')}
</figure>
</div>
</section>
`
}

function renderSuccess({ id, success: { fields, recordFields, headers } }: Operation): Html {
  const record =
    recordFields.length === 0
      ? ''
      : html`<details class="fold" open>
<summary>Fields of a record of <code>data</code></summary>
${renderFields(recordFields, `${id}.data`)}</details>
`
  return html`<h4>Response</h4>
${renderFields(fields, id)}${record}<details class="fold">
<summary>Response headers</summary>
${renderFields(headers, `${id}.header`)}</details>
`
}

function renderErrors({ errors }: Operation, links: Links): Html {
  const rows = errors.map(({ code, example }) => {
    const { status, meaning } = problems[code]
    return html`<div>
<dt><span class="status">${status}</span> <a href="${links.page('errors')}#${code}"><code>${code}</code></a></dt>
<dd>${renderInline(meaning)}${renderErrorExample(example)}</dd>
</div>
`
  })
  return html`<details class="fold errors">
<summary>Errors</summary>
<dl class="fields">
${rows}</dl>
</details>`
}

/** The body of a problem, folded. */
export function renderErrorExample(example: unknown): Html {
  return html`<details class="example"><summary>Example</summary>
${renderCode(JSON.stringify(example, null, 2), 'json')}</details>`
}

function renderSamples(operation: Operation, place: Place): Html {
  const samples = createSamples(operation, place)
  const choices = samples.map(({ language, label }, at) => {
    const checked = at === 0 ? html` checked` : ''
    return html`<label><input type="radio" name="${operation.id}-language" value="${language}"${checked}>${label}</label>
`
  })
  const codes = samples.map(
    ({ language, code }) => html`<div class="sample" data-language="${language}">${code}</div>
`,
  )
  return html`<figure class="panel samples">
<figcaption>
<fieldset class="tabs"><legend>Language of the sample: ${operation.title}</legend>
${choices}</fieldset>
</figcaption>
${codes}</figure>`
}

/** Hidden until the script is there, because a form without it would send the key in the URL. */
function renderForm({ id, title, path, parameters }: Operation, { links, basePath }: Place): Html {
  const address = links.service(`${basePath.slice(1)}${path}`)
  return html`<details class="panel try" hidden>
<summary>Send this request</summary>
<form data-address="${address}" aria-label="Send: ${title}" autocomplete="off">
${renderKeyField(id)}
${parameters.map((parameter) => renderInput(id, parameter))}
<button type="submit" class="send">Send</button>
</form>
<div class="result" role="status" hidden></div>
</details>`
}

/** The field for the key; the script keeps all of them equal. Not of type password: browsers offer to store those. */
export function renderKeyField(id: string): Html {
  return html`<label class="key" for="${id}-key">API key</label>
<input id="${id}-key" class="key" type="text" data-key autocomplete="off" spellcheck="false" placeholder="evk_…">`
}

function renderInput(id: string, { name, in: place, required, schema }: Parameter): Html {
  const field = html`id="${id}-${name}" name="${name}" data-in="${place}"${required ? html` required` : ''}`
  const input =
    schema.enum === undefined
      ? html`<input ${field} autocomplete="off" spellcheck="false"${renderHint(schema)}>`
      : html`<select ${field}><option value=""></option>${schema.enum.map((value) => html`<option>${String(value)}</option>`)}</select>`
  return html`<label for="${id}-${name}"><code>${name}</code></label>
${input}
`
}

function renderHint({ default: value }: Operation['parameters'][number]['schema']): Html | string {
  return value === undefined ? '' : html` placeholder="${String(value)}"`
}

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

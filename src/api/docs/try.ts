import { parse } from 'yaml'
import { html } from '../../html.js'
import type { Html } from '../../html.js'
import { basePath } from '../paths.js'
import { highlight, renderCode, renderCodeBlock } from './markdown.js'
import type { Operation, Parameter, Reference } from './read-document.js'
import { fillMarkup, fillText, readTemplate, toPackageFile } from './templates.js'

type Template = Readonly<Record<'language' | 'label' | 'query' | 'start' | 'list' | 'record', string>>
const templates = parse(readTemplate('samples.yaml')) as readonly Template[]

/** The section of an operation: its text, and beside it samples, a form that sends it, and an example of its answer. */
export function renderOperation(
  operation: Operation,
  text: Html,
  place: Pick<Reference, 'version'> & { readonly service: string },
): Html {
  const { id, title, path, example, parameters } = operation
  return fillMarkup('operation.html', {
    id,
    title,
    text,
    choices: templates.map(({ language, label }, at) => {
      const checked = at === 0 ? html` checked` : ''
      return html`<label><input type="radio" name="${id}-language" value="${language}"${checked}>${label}</label>
`
    }),
    samples: templates.map((template) => {
      const code = renderSample(template, operation, place)
      return html`<div class="sample" data-language="${template.language}">${code}</div>
`
    }),
    address: `.${basePath}${path}`,
    inputs: parameters.map((parameter) => renderInput(id, parameter)),
    example: renderCode(JSON.stringify(example, null, 2), 'json'),
  })
}

/** A program that sends the request. The key is in the environment: it should not be in a program or in a shell's history. */
function renderSample(
  { language, query, start, list, record }: Template,
  { tag, path, example }: Operation,
  { service, version }: Parameters<typeof renderOperation>[2],
): Html {
  const isList = !path.includes('{id}')
  const code = fillText(`${start}${isList ? list : record}`, {
    service,
    packageFile: toPackageFile(version),
    url: `${service}${basePath}${path.replace('{id}', 'SLOT_ID')}`,
    collection: tag,
    one: tag.replace(/s$/, ''),
    listImport: isList ? '\t"net/url"\n' : '',
  })
  const { id = 'ID' } = (example ?? {}) as { readonly id?: string }
  // What the script of the page changes, and its text while the form is empty.
  const slots: Readonly<Record<string, string>> = {
    QUERY: query,
    ID: language === 'typescript' ? `'${id}'` : encodeURIComponent(id),
    VARIABLE: 'VITRINE_KEY',
    HEADERS: '',
  }
  const markup = highlight(code, language)
    // Lets a long URL break after a slash of its path.
    .markup.replace(/(?<=\w)\/(?=\w)/g, '/<wbr>')
    .replace(/SLOT_(QUERY|ID|VARIABLE|HEADERS)/g, (_, name: string) => {
      return html`<span data-slot="${name.toLowerCase()}">${slots[name] ?? ''}</span>`.markup
    })
  return renderCodeBlock({ markup })
}

function renderInput(id: string, { name, in: place, required = false, schema }: Parameter): Html {
  const field = html`id="${id}-${name}" name="${name}" data-in="${place}"${required ? html` required` : ''}`
  const hint = schema.default === undefined ? '' : html` placeholder="${String(schema.default)}"`
  const options = schema.enum?.map((value) => html`<option>${String(value)}</option>`)
  const input =
    options === undefined
      ? html`<input ${field} autocomplete="off" spellcheck="false"${hint}>`
      : html`<select ${field}><option value=""></option>${options}</select>`
  return html`<label for="${id}-${name}"><code>${name}</code></label>
${input}
`
}

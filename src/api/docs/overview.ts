import { parse } from 'yaml'
import { problems } from '../../problems.js'
import { problemTexts } from '../problem-texts.js'
import { html } from '../../html.js'
import type { Html } from '../../html.js'
import { capitalize } from '../../values/printable.js'
import { basePath } from '../../client/forms.js'
import { toPackageFile } from '../paths.js'
import type { Guide } from './guides.js'
import { fillMarkup, fillText, highlight, readTemplate, renderCodeBlock, renderMarkdown } from './markdown.js'
import { readFields } from './read-document.js'
import type { Field, Operation, Reference, Schema, Parameter } from './read-document.js'

const authentication = `## Authentication

Send an API key with every request, in the header \`Authorization: Bearer <key>\`. The product team gives you a key. It
reads one workspace, and only the collections of its scopes: \`registration.read\` (the singular is intended) and
\`invoices.read\`. The samples read the key from \`VITRINE_KEY\`, and those of the guides the origin of the service from
\`VITRINE_URL\`.
`

/** The collections and their operations, in the order of the document. */
export function listCollections({ operations }: Reference) {
  const names = [...new Set(operations.map(({ tag }) => tag))]
  return names.map((name) => ({
    title: capitalize(name),
    operations: operations.filter(({ tag }) => tag === name),
  }))
}

/** `/docs` as Markdown. Its links lead to the other pages as Markdown, and a page has the same without `.md`. */
export function writeOverview(reference: Reference, guides: readonly Guide[]): string {
  const collections = listCollections(reference).map(({ title, operations }) =>
    [`## ${title}\n`, ...operations.flatMap(writeOperation)].join('\n'),
  )
  return [writeIntroduction(reference, guides), authentication, ...collections].join('\n')
}

/** `/docs` as a page: the same text, and beside each operation samples, a form that sends it, and an example. */
export function renderOverview(reference: Reference, guides: readonly Guide[]): Html {
  const collections = listCollections(reference).map(({ title, operations }) => {
    const sections = operations.map((operation) => {
      const groups = listGroups(operation).map(renderGroup)
      const text = html`${renderMarkdown(writeStart(operation))}${groups}`
      return renderOperation(operation, text, reference)
    })
    return html`<div class="collection">${renderMarkdown(`## ${title}`)}</div>${sections}`
  })
  return fillMarkup('overview.html', {
    introduction: renderMarkdown(writeIntroduction(reference, guides)),
    authentication: renderMarkdown(authentication),
    collections,
  })
}

function writeIntroduction({ summary, version }: Reference, guides: readonly Guide[]): string {
  const links = guides.map(({ path, title }) => `[${title}](./docs/${path}.md)`).join(', ')
  const packageFile = toPackageFile(version)
  return fillText(readTemplate('introduction.md'), {
    summary,
    packageFile,
    guides: links,
  })
}

function writeStart({ title, path, description }: Operation): string {
  return `### ${title}\n\n\`GET ${basePath}${path}\`\n\n${description.trim()}\n`
}

function writeOperation(operation: Operation): readonly string[] {
  const path = operation.path.replace('{id}', encodeURIComponent(readExampleId(operation)))
  const url = `FILL_SERVICE${basePath}${path}`
  return [
    writeStart(operation),
    ...listGroups(operation).map(({ title, text }) => `#### ${title}\n\n${text}\n`),
    `#### Example\n\n\`\`\`sh\ncurl -H "Authorization: Bearer $VITRINE_KEY" "${url}"\n\`\`\`\n`,
    writeExamples(operation),
  ]
}

/** An example of each status: the body of 200, and the first problem of each other one; 304 has no body. */
function writeExamples({ example, errors }: Operation): string {
  const bodies = new Map<string | number, readonly [label: string, body: unknown]>([[200, ['', example]]])
  for (const [code, body] of errors) {
    const { status } = problems[code]
    if (!bodies.has(status)) bodies.set(status, [` ${status} ${code}`, body])
  }
  const blocks = [...bodies.values()].map(
    ([label, body]) => `\`\`\`json${label}\n${JSON.stringify(body, null, 2)}\n\`\`\`\n`,
  )
  return `${blocks.join('\n')}\n304 has no body.\n`
}

/** What an operation takes and answers; the id of a field begins with `place`. */
export function listGroups({ id, parameters, schema, headers, errors }: Operation) {
  const records = readFields(schema.properties?.['data']?.items)
  const groups = [
    { title: 'Parameters', place: `${id}.parameter`, fields: parameters },
    { title: 'Response', place: id, fields: readFields(schema) },
    { title: 'Fields of a record of `data`', place: `${id}.data`, fields: records },
    { title: 'Response headers', place: `${id}.header`, fields: headers },
  ].map((group) => ({ ...group, text: group.fields.map(writeField).join('\n') }))
  const rows = errors.map(([code]) => {
    const { meaning } = problemTexts[code]
    return `- ${problems[code].status} [\`${code}\`](./docs/errors.md#${code}): ${meaning}`
  })
  const errorGroup = { title: 'Errors', place: `${id}.error`, fields: [], text: rows.join('\n') }
  return [...groups.filter(({ fields }) => fields.length > 0), errorGroup]
}

function renderGroup({ title, place, text }: ReturnType<typeof listGroups>[number]): Html {
  const list = renderMarkdown(text, place)
  return title === 'Errors' || title === 'Response headers'
    ? html`<details class="fold"><summary>${title}</summary>${list}</details>`
    : html`${renderMarkdown(`#### ${title}`)}${list}`
}

function writeField({ name, description, required, schema }: Field): string {
  const type = `${describeType(schema)}${required === true ? ', required' : ''}`
  const values = (schema.enum ?? []).map((value) => ` \`${String(value)}\``).join('')
  return `- \`${name}\` (${type}): ${description.replace(/\s+/g, ' ').trim()}${values}`
}

/** Such as `integer, 1 to 100, default 25`. */
function describeType({ type = 'any', format = '', items, minimum, maximum, ...schema }: Schema): string {
  const parts = [
    items === undefined ? [type].flat().join(' or ') : 'array of records',
    // Others, such as int32, say nothing that the limits do not.
    format.startsWith('date') && format,
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}`,
    schema.maxItems !== undefined && `at most ${schema.maxItems}`,
    schema.default !== undefined && `default ${String(schema.default)}`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

type Template = Readonly<Record<'language' | 'label' | 'query' | 'start' | 'list' | 'record', string>>
const templates = parse(readTemplate('samples.yaml')) as readonly Template[]

/** The section of an operation: its text, and beside it samples, a form that sends it, and an example of its answer. */
function renderOperation(operation: Operation, text: Html, reference: Reference): Html {
  const { id, title, path, parameters } = operation
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
      const code = renderSample(template, operation, reference.version)
      return html`<div class="sample" data-language="${template.language}">${code}</div>
`
    }),
    address: `.${basePath}${path}`,
    inputs: parameters.map((parameter) => renderInput(id, parameter)),
    example: renderMarkdown(writeExamples(operation)),
  })
}

/** A program that sends the request. The key is in the environment: it should not be in a program or in a shell's history. */
function renderSample(
  { language, query, start, list, record }: Template,
  operation: Operation,
  version: string,
): Html {
  const { tag, path } = operation
  const isList = !path.includes('{id}')
  const code = fillText(`${start}${isList ? list : record}`, {
    packageFile: toPackageFile(version),
    url: `FILL_SERVICE${basePath}${path.replace('{id}', 'SLOT_ID')}`,
    collection: tag,
    one: tag.replace(/s$/, ''),
    listImport: isList ? '\t"net/url"\n' : '',
  })
  const id = readExampleId(operation)
  // What the script of the page changes, and its text while the form is empty.
  const slots: Readonly<Record<string, string>> = {
    QUERY: query,
    ID: language === 'typescript' ? `'${id}'` : encodeURIComponent(id),
    VARIABLE: 'VITRINE_KEY',
    HEADERS: '',
  }
  const markup = highlight(code, language).markup.replace(
    /SLOT_(QUERY|ID|VARIABLE|HEADERS)/g,
    (_, name: string) => {
      return html`<span data-slot="${name.toLowerCase()}">${slots[name] ?? ''}</span>`.markup
    },
  )
  return renderCodeBlock({ markup })
}

function readExampleId({ example }: Operation): string {
  const { id = 'ID' } = (example ?? {}) as { readonly id?: string }
  return id
}

function renderInput(id: string, { name, in: place, required = false, schema }: Parameter): Html {
  const field = html`id="${id}-${name}" name="${name}" data-in="${place}"${required ? html` required` : ''}`
  const hint = schema.default === undefined ? '' : html` placeholder="${String(schema.default)}"`
  const options = schema.enum?.map((value) => html`<option>${String(value)}</option>`)
  const list = options && html` list="${id}-${name}-values"`
  const values = options && html`<datalist id="${id}-${name}-values">${options}</datalist>`
  return html`<label for="${id}-${name}"><code>${name}</code></label>
<input ${field} autocomplete="off" spellcheck="false"${hint}${list ?? ''}>${values ?? ''}
`
}

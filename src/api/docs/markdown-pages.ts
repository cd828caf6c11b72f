import { problems } from '../../errors.js'
import type { ProblemCode } from '../../errors.js'
import { capitalize } from '../../values/printable.js'
import { describeType } from './operation.js'
import type { Place } from './operation.js'
import { resolveGuideLink } from './guides.js'
import type { Guide } from './guides.js'
import { listCollections } from './overview-page.js'
import type { Field, Operation, Reference } from './read-document.js'

/** The first page as Markdown, for programs: every operation with its fields, errors and an example. */
export function renderOverviewMarkdown(reference: Reference, guides: readonly Guide[], place: Place): string {
  const { links, service, basePath, packageFile } = place
  const collections = listCollections(reference).map((name) => {
    const operations = reference.operations.filter(({ tag }) => tag === name)
    return `## ${capitalize(name)}\n\n${operations.map((one) => renderOperation(one, place)).join('\n')}`
  })
  return `# Vitrine API

${reference.summary}

- Base URL: \`${service}${basePath}\`${service.startsWith('$') ? ', the variable being the address that this page is from' : ''}
- Format: JSON, read-only: every operation is \`GET\`
- Authentication: an API key in the header \`Authorization: Bearer <key>\`. It reads one workspace, and only the collections of its scopes.
- Document: [OpenAPI 3.1](${links.service(`${basePath.slice(1)}/openapi.json`)}) or [3.0](${links.page('openapi-3.0.json')})
- Package: [${packageFile}](${links.page(packageFile)}), the TypeScript client and a command that keeps a copy

Guides: ${guides.map(({ path, title }) => `[${title}](${links.page(path)}.md)`).join(', ')}

${collections.join('\n')}`
}

function renderOperation(operation: Operation, { links, service, basePath }: Place): string {
  const { title, path, description, parameters, success, errors } = operation
  const records = success.recordFields.length === 0 ? [] : ['Fields of a record of `data`:']
  return [
    `### ${title}`,
    `\`GET ${basePath}${path}\``,
    description.trim(),
    ...(parameters.length === 0 ? [] : ['Parameters:', renderFields(parameters)]),
    'Response:',
    renderFields(success.fields),
    ...records.flatMap((heading) => [heading, renderFields(success.recordFields)]),
    `Errors: ${errors.map(({ code }) => `${problems[code].status} [\`${code}\`](${links.page('errors')}.md#${code})`).join(', ')}`,
    `\`\`\`sh\ncurl -H "Authorization: Bearer $VITRINE_KEY" "${service}${basePath}${path}"\n\`\`\``,
    renderJson(success.example),
  ]
    .map((part) => `${part}\n`)
    .join('\n')
}

function renderFields(fields: readonly Field[]): string {
  return fields
    .map(({ name, description, required, schema }) => {
      const type = `${describeType(schema)}${required === true ? ', required' : ''}`
      const values = (schema.enum ?? []).map((value) => ` \`${String(value)}\``).join('')
      return `- \`${name}\` (${type}): ${description.replace(/\s+/g, ' ').trim()}${values}`
    })
    .join('\n')
}

function renderJson(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

/** A guide as Markdown, its links leading to the other pages as Markdown. */
export function renderGuideMarkdown(guide: Guide, guides: readonly Guide[], reference: Reference): string {
  const { file, path, title, text } = guide
  const parts = text.split(/^(```[^]*?^```)$/m).map((part, at) => {
    const isCode = at % 2 === 1
    return isCode
      ? part
      : part.replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, label: string, href: string) => {
          const address = resolveGuideLink(href, file, guides)
          return address === undefined ? label : `[${label}](${address.replace(/^\.\/[^#]+/, '$&.md')})`
        })
  })
  return `# ${title}\n${parts.join('')}${path === 'errors' ? renderProblemTypes(reference) : ''}`
}

function renderProblemTypes({ operations }: Reference): string {
  const examples = operations.flatMap(({ errors }) => errors)
  const entries = (Object.keys(problems) as ProblemCode[]).map((code) => {
    const { status, title, meaning, remedy } = problems[code]
    const found = examples.find((one) => one.code === code)
    const example = found === undefined ? '' : `\n${renderJson(found.example)}\n`
    return `### ${code}\n\n${status} ${title}. ${meaning}\n\n**What to do:** ${remedy}\n${example}`
  })
  return `\n## Problem types\n\n${entries.join('\n')}`
}

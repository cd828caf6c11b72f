import { problems } from '../../errors.js'
import { toFieldId } from './operation.js'
import { toAnchor } from './guides.js'
import type { Guide } from './guides.js'
import type { Field, Operation, Reference } from './read-document.js'

/** What a search can find. */
export interface SearchEntry {
  readonly title: string
  /** Where it is, such as the title of its page. */
  readonly place: string
  /** The address below the URL of the service. */
  readonly url: string
  readonly text: string
  /** More words that lead here: what other products call it. */
  readonly words?: string | undefined
}

/** Words of readers that a page does not use, by the last part of its URL, or with the anchor of a section. */
const otherWords: Readonly<Record<string, string>> = {
  'first-request': 'pagination paging pages next page quickstart getting started',
  sync: 'pagination incremental delta',
  'sync#polling': 'webhook webhooks push notifications',
  limits: 'rate limit throttling quota pagination page size',
  money: 'decimal float amount price',
  times: 'timezone time zone dates timestamps',
  client: 'SDK library npm node javascript',
  'vitrine-pull': 'export sqlite ndjson',
  'generated-clients': 'SDK code generator swagger',
  agents: 'MCP Model Context Protocol AI LLM assistant tools Claude Cursor',
}

/** Every operation, parameter, field, problem code, and section of a guide. */
export function createSearchIndex(
  { operations }: Reference,
  guides: readonly Guide[],
): readonly SearchEntry[] {
  return [
    ...operations.flatMap(listOperationEntries),
    ...Object.entries(problems).map(([code, { status, meaning, remedy }]) => ({
      title: code,
      place: `Error ${status}`,
      url: `docs/errors#${code}`,
      text: toText(`${meaning} ${remedy}`),
    })),
    ...guides.flatMap(listGuideEntries),
  ]
}

function listOperationEntries({
  id,
  title,
  path,
  description,
  ...operation
}: Operation): readonly SearchEntry[] {
  const toEntry = (place: string, kind: string) => (field: Field) => ({
    title: field.name,
    place: `${title} · ${kind}`,
    url: `docs#${toFieldId(place, field.name)}`,
    text: toText(field.description),
  })
  return [
    { title, place: `GET ${path}`, url: `docs#${id}`, text: toText(description) },
    ...operation.parameters.map(toEntry(`${id}.parameter`, 'parameter')),
    ...operation.success.fields.map(toEntry(id, 'field')),
  ]
}

/** The parts of a guide between its headings. */
function listGuideEntries({ path, title, text }: Guide): readonly SearchEntry[] {
  const [start = '', ...sections] = text.replace(/^```[^]*?^```$/gm, '').split(/^##+ /m)
  return [
    { title, place: 'Guide', url: `docs/${path}`, text: toText(start), words: otherWords[path] },
    ...sections.map((section) => {
      const [heading = '', ...lines] = section.split('\n')
      const address = `${path}#${toAnchor(heading)}`
      const words = otherWords[address]
      return {
        title: toText(heading),
        place: title,
        url: `docs/${address}`,
        text: toText(lines.join('\n')),
        words,
      }
    }),
  ]
}

/** Without the marks of Markdown, which would disturb a reader of the text. */
function toText(markdown: string): string {
  return markdown
    .replace(/[`*|[]|\]\([^)]*\)|\]|-{3,}|^ *(?:-|\d+\.) /gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}

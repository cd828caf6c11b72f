import { parse } from 'yaml'
import { toAnchor } from './guides.js'
import type { Guide } from './guides.js'
import { listGroups } from './overview.js'
import type { Operation, Reference } from './read-document.js'
import { readTemplate } from './templates.js'

const otherWords = parse(readTemplate('search-words.yaml')) as Readonly<Record<string, string>>

/**
 * What the search finds: every operation, parameter, field, and section of a guide, with the address below the URL of the
 * service. A problem type is a section of the guide to errors.
 */
export function createSearchIndex({ operations }: Reference, guides: readonly Guide[]): readonly object[] {
  return [...operations.flatMap(listOperationEntries), ...guides.flatMap(listGuideEntries)]
}

function listOperationEntries(operation: Operation) {
  const { id, title, path, description } = operation
  // The fields of a record are those of the operation of one record, and headers are not looked for.
  const groups = listGroups(operation).filter((group) => /^(?:Parameters|Response)$/.test(group.title))
  const fields = groups.flatMap((group) =>
    group.fields.map(({ name, description }) => ({
      title: name,
      place: `${title} · ${group.title}`,
      url: `docs#${group.place}.${name}`,
      text: toText(description),
    })),
  )
  return [{ title, place: `GET ${path}`, url: `docs#${id}`, text: toText(description) }, ...fields]
}

function listGuideEntries({ path, title, text }: Guide) {
  const [start = '', ...sections] = text.replace(/^```[^]*?^```$/gm, '').split(/^##+ /m)
  const toEntry = (title: string, place: string, address: string, text: string) => {
    return { title, place, url: `docs/${address}`, text: toText(text), words: otherWords[address] }
  }
  const parts = sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    return toEntry(toText(heading), title, `${path}#${toAnchor(heading)}`, lines.join('\n'))
  })
  return [toEntry(title, 'Guide', path, start), ...parts]
}

/** Without the marks of Markdown, which would disturb a reader of the text. */
function toText(markdown: string): string {
  return markdown
    .replace(/[`*|[]|\]\([^)]*\)|\]|-{3,}|^ *(?:-|\d+\.) /gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}

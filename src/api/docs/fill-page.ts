import { escapeUnprintable } from '../../client/text.js'
import type { DocumentedCollection } from '../../collections/collection.js'
import { html } from '../../html.js'

/** What the pages say of a service. */
export interface PageValues {
  /** Origin and path prefix, or empty if they are not configured. */
  readonly publicUrl: string
  readonly collections: readonly DocumentedCollection[]
}

/** In samples where the address of the service is not known. The script of a page replaces it by the one of the browser. */
const unknownService = 'https://vitrine.example.com'

/**
 * A file that the build wrote, with the values of this service in its slots: FILL_URL and others for the address, and for the
 * statuses of a collection FILL_STATUS_…, which is all of them as code and as an option, and the first one in an example.
 */
export function fillPage(text: string, isMarkup: boolean, { publicUrl, collections }: PageValues): string {
  const write = (value: string): string => (isMarkup ? html`${value}`.markup : value)
  const values: Record<string, string> = {
    URL: write(publicUrl),
    SERVICE: write(publicUrl || (isMarkup ? unknownService : '$VITRINE_URL')),
    ROOT: publicUrl || '.',
    ASSUMED: publicUrl === '' ? unknownService : '',
  }
  for (const { name, statuses = [], schema } of collections) {
    const { examples } = schema.properties['status'] as { readonly examples: readonly string[] }
    const [first = ''] = [...statuses, ...examples]
    values[`STATUS_${name}`] = write(JSON.stringify(first).slice(1, -1))
  }
  const toItems = (listed: string, space: string, start: string, end: string): string => {
    const toItem = (one: string): string =>
      start === '`' ? toCode(one) : `${start}${write(escapeUnprintable(one))}${end}`
    const { statuses = [] } = collections.find(({ name }) => name === listed) ?? {}
    return statuses.map((one) => space + toItem(one)).join('')
  }
  // At once: the text of a status can look like a slot.
  return text.replace(
    slots,
    (_, space: string, start: string, listed: string | undefined, end: string, name: string) =>
      listed === undefined ? (values[name] ?? '') : toItems(listed, space, start, end),
  )
}

/** All statuses of a collection, or one value. */
const slots = /( ?)(`|<\w+>)FILL_STATUS_([a-z]+)(`|<\/\w+>)|FILL_(URL|SERVICE|ROOT|ASSUMED|STATUS_[a-z]+)/g

/** Any text as code within a line of Markdown: what a mapping names can contain the marks of Markdown, and markup. */
function toCode(text: string): string {
  const line = escapeUnprintable(text)
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length))
  const marks = '`'.repeat(longest + 1)
  // A reader removes one space at both ends.
  const space = /^[` ]|[` ]$/.test(line) && line.trim() !== '' ? ' ' : ''
  return `${marks}${space}${line}${space}${marks}`
}

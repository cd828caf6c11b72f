import { readFileSync } from 'node:fs'

/** A section of `docs/integrators.md` that is a page. */
export interface Guide {
  /** The last part of its URL. */
  readonly path: string
  readonly title: string
  /** Its name in the navigation. */
  readonly label: string
  /** Markdown without the heading of the section; its own headings are raised by one level. */
  readonly text: string
  /** The anchors of its headings, its own first. */
  readonly anchors: readonly string[]
}

const file = new URL('../../../docs/integrators.md', import.meta.url)

/** Where the last part of the URL is shorter than the heading. */
const shortNames: Readonly<Record<string, { readonly path: string; readonly label: string }>> = {
  'Synchronize a copy': { path: 'sync', label: 'Sync' },
}

/** The `##` sections of the page for integrators, in their order. */
export function readGuides(): readonly Guide[] {
  const [, ...sections] = splitSections(readFileSync(file, 'utf8'))
  return sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    const title = heading.replaceAll('`', '')
    const text = raiseHeadings(lines)
    const headings = lines.flatMap((line) => /^#+ (.+)$/.exec(line)?.[1] ?? [])
    const { path, label } = shortNames[title] ?? { path: toAnchor(title), label: title }
    return { path, title, label, text, anchors: [title, ...headings].map(toAnchor) }
  })
}

function splitSections(text: string): readonly string[] {
  return text.split(/^## /m)
}

/** The first heading below the title of a page must be of the second level. */
function raiseHeadings(lines: readonly string[]): string {
  return lines.map((line) => line.replace(/^##(#+ )/, '#$1')).join('\n')
}

/** The addresses of links from one guide to another; files that the service does not show have none. */
export function resolveGuideLink(href: string, guides: readonly Guide[]): string | undefined {
  if (/^https?:\/\//.test(href)) return href
  if (!href.startsWith('#')) return undefined
  const anchor = href.slice(1)
  const guide = guides.find(({ anchors }) => anchors.includes(anchor))
  if (guide === undefined) return undefined
  return guide.anchors[0] === anchor ? `./${guide.path}` : `./${guide.path}#${anchor}`
}

/** The anchor of a heading, as GitHub makes it. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

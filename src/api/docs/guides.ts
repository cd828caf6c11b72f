import { readFileSync } from 'node:fs'

/** A page of the documentation that is made of Markdown. */
export interface Guide {
  /** The file in `docs` that it is a part of. */
  readonly file: string
  /** The last part of its URL. */
  readonly path: string
  readonly title: string
  /** Its name in the navigation. */
  readonly label: string
  /** Markdown without the title; its own headings begin at the second level. */
  readonly text: string
  /** Those of its sections and of their parts. */
  readonly headings: readonly Heading[]
  /** The anchors of its headings, its own first. */
  readonly anchors: readonly string[]
}

/** A heading of the second or third level. */
export interface Heading {
  readonly text: string
  readonly isPart: boolean
}

/** Where the last part of the URL is shorter than the heading. */
const shortNames: Readonly<Record<string, { readonly path: string; readonly label: string }>> = {
  'Synchronize a copy': { path: 'sync', label: 'Sync' },
  'TypeScript client': { path: 'client', label: 'TypeScript client' },
}

/** The sections of the contract that are for callers. */
const contractSections = ['Records', 'HTTP', 'Errors']

/** Each `##` section of the page for integrators, in their order, and the contract as it concerns callers. */
export function readGuides(): readonly Guide[] {
  const guides = readSections('integrators.md').map(({ title, lines }) => {
    const { path, label } = shortNames[title] ?? { path: toAnchor(title), label: title }
    // The first heading below the title of a page must be of the second level.
    const text = lines.map((line) => line.replace(/^##(#+ )/, '#$1')).join('\n')
    return {
      file: 'integrators.md',
      path,
      title,
      label,
      text,
      headings: listHeadings(text),
      anchors: listAnchors([`## ${title}`, ...lines]),
    }
  })
  return [...guides, readContract()]
}

function readContract(): Guide {
  const sections = readSections('contract.md').filter(({ title }) => contractSections.includes(title))
  const lines = sections.flatMap(({ title, lines }) => [`## ${title}`, ...lines])
  const title = 'Contract'
  const text = lines.join('\n')
  return {
    file: 'contract.md',
    path: 'contract',
    title,
    label: title,
    text,
    headings: listHeadings(text),
    anchors: listAnchors([`## ${title}`, ...lines]),
  }
}

function readSections(
  file: string,
): readonly { readonly title: string; readonly lines: readonly string[] }[] {
  const [, ...sections] = readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8').split(
    /^## /m,
  )
  return sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    return { title: heading.replaceAll('`', ''), lines }
  })
}

function listHeadings(text: string): readonly Heading[] {
  const found = text.replace(/^```[^]*?^```$/gm, '').matchAll(/^(###?) (.+)$/gm)
  return [...found].map(([, marks, text = '']) => ({ text, isPart: marks === '###' }))
}

function listAnchors(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => /^##+ (.+)$/.exec(line)?.[1] ?? []).map(toAnchor)
}

/**
 * The address of a link in a guide; undefined for a file that the service does not show.
 *
 * @param from the file that contains the link.
 */
export function resolveGuideLink(href: string, from: string, guides: readonly Guide[]): string | undefined {
  if (/^https?:\/\//.test(href)) return href
  const [file, anchor] = href.split('#')
  const own = guides.filter((guide) => guide.file === (file === '' ? from : file))
  const guide =
    anchor === undefined
      ? own.find(({ path }) => path === 'contract')
      : own.find(({ anchors }) => anchors.includes(anchor))
  if (guide === undefined) return undefined
  return anchor === undefined || guide.anchors[0] === anchor ? `./${guide.path}` : `./${guide.path}#${anchor}`
}

/** The anchor of a heading, as GitHub makes it. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

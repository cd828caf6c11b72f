import { readFileSync } from 'node:fs'
import { problems } from '../../problems.js'
import { problemTexts } from '../problem-texts.js'
import type { ProblemCode } from '../../problems.js'
import type { Reference } from './read-document.js'

/** A page of the documentation that is made of Markdown. */
export interface Guide {
  /** The last part of its URL. */
  readonly path: string
  readonly title: string
  /** Markdown without the title; its own headings begin at the second level. */
  readonly text: string
}

/** A part of a file in `docs` that becomes a page. */
interface Section extends Guide {
  readonly file: string
  /** The anchors of its headings in the file, that of its title first. */
  readonly anchors: readonly string[]
}

/** Where the last part of the URL is shorter than the heading. */
const shortPaths: Readonly<Record<string, string>> = {
  'Synchronize a copy': 'sync',
  'TypeScript client': 'client',
}

/** The sections of the contract that are for callers. */
const contractSections = /^## (?:Records|HTTP|Errors)\n/

const sections = readSections()

/**
 * Each `##` section of the page for integrators, in their order, the recipes for other tools, and the contract as it concerns
 * callers. Their links lead to the other guides as Markdown. The guide to errors has every problem type.
 */
export function readGuides(reference: Reference): readonly Guide[] {
  return sections.map(({ file, text, ...guide }) => {
    const more = guide.path === 'errors' ? `\n${writeProblemTypes(reference)}` : ''
    return { ...guide, text: `${resolveLinks(text, file)}${more}` }
  })
}

function readSections(): readonly Section[] {
  const [, ...parts] = splitFile('integrators.md')
  const guides = parts.map((section): Section => {
    const [heading = '', ...lines] = section.split('\n')
    const title = heading.replace(/^## |`/g, '')
    const path = shortPaths[title] ?? toAnchor(title)
    // The first heading below the title of a page must be of the second level.
    const text = lines.map((line) => line.replace(/^##(#+ )/, '#$1')).join('\n')
    return { file: 'integrators.md', path, title, text, anchors: listAnchors(section) }
  })
  const [start = '', ...recipes] = splitFile('connect.md')
  const connect = [start.replace(/^# .*\n/, ''), ...recipes]
  const contract = splitFile('contract.md').filter((section) => contractSections.test(section))
  return [
    ...guides,
    toPage('connect', 'Connect other tools', connect.join('')),
    toPage('contract', 'Contract', `\n${contract.join('')}`),
  ]
}

function toPage(path: string, title: string, text: string): Section {
  return { file: `${path}.md`, path, title, text, anchors: [path, ...listAnchors(text)] }
}

/** The part before the first section, and each section. */
function splitFile(file: string): readonly string[] {
  const text = readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8')
  return text.split(/^(?=## )/m)
}

function listAnchors(text: string): readonly string[] {
  return [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading))
}

/** A link without an address becomes its text. */
function resolveLinks(text: string, file: string): string {
  const parts = text.split(/^(```[^]*?^```)$/m).map((part, at) => {
    // Every second part is a block of code.
    if (at % 2 === 1) return part
    return part.replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, label: string, href: string) => {
      const address = resolveGuideLink(href, file)
      return address === undefined ? label : `[${label}](${address})`
    })
  })
  return parts.join('')
}

/**
 * The address of a link in a guide; undefined for a file that the service does not show.
 *
 * @param from the file that contains the link.
 */
export function resolveGuideLink(href: string, from: string): string | undefined {
  if (/^https?:\/\//.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const target = file === '' ? from : file
  const guide = sections.find(
    (one) => one.file === target && one.anchors.includes(anchor ?? target.slice(0, -3)),
  )
  if (guide === undefined) return undefined
  const isTop = anchor === undefined || guide.anchors[0] === anchor
  return isTop ? `./${guide.path}.md` : `./${guide.path}.md#${anchor}`
}

/** Every problem type, from the table of codes, with an example of an operation; the anchor of an entry is its code. */
function writeProblemTypes({ operations }: Reference): string {
  const examples = new Map(operations.flatMap(({ errors }) => errors))
  const entries = (Object.keys(problems) as ProblemCode[]).map((code) => {
    const { status, title } = problems[code]
    const { meaning, remedy } = problemTexts[code]
    const example = examples.get(code)
    const block =
      example === undefined ? '' : `\n\`\`\`json Example\n${JSON.stringify(example, null, 2)}\n\`\`\`\n`
    return `### ${code}\n\n${status} ${title}. ${meaning}\n\n**What to do:** ${remedy}\n${block}`
  })
  return `## Problem types\n\n${entries.join('\n')}`
}

/** The anchor of a heading, as GitHub makes it. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

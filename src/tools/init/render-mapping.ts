import { Document, Scalar, isMap, isScalar, isSeq, visit } from 'yaml'
import type { YAMLMap, YAMLSeq } from 'yaml'
import { capitalize, wrapText } from '../../values/printable.js'
import type { Choice } from './answers.js'
import { formatPoints } from './candidate.js'
import type { Proposal } from './propose.js'

const header = ` Proposed by \`vitrine init\` from the names, types, keys and indexes of the tables. docs/product-team.md explains every
 option. Above each choice: how sure it is, its reasons with their points, and what was second. Read VERIFY and TODO first.`

const widthMax = 110

/** The mapping file of a proposal, with the reasons of every choice as comments. */
export function renderMapping(proposal: Proposal): string {
  const document = new Document(proposal.mapping)
  const warning = proposal.warning === undefined ? [] : toLines(`WARNING: ${proposal.warning}`)
  document.commentBefore = [...warning.map((line) => ` ${line}`), ...header.split('\n')].join('\n')
  for (const choice of proposal.choices) addComment(document, choice)
  addReasons(document, proposal)
  addLeftOut(document, proposal)
  setForms(document)
  const timezone = document.get('timezone', true)
  // YAML 1.1 reads it as a number.
  if (isScalar(timezone)) timezone.type = Scalar.QUOTE_SINGLE
  return document.toString({ lineWidth: widthMax + 10, flowCollectionPadding: true, singleQuote: true })
}

/** Small parts stand on one line, as in the documentation. */
function setForms(document: Document): void {
  visit(document, {
    Collection: (_, node, path) => {
      const depth = path.filter((one) => isMap(one) || isSeq(one)).length
      node.flow = !isBlock(node, depth)
    },
  })
}

/** The document, its sections, their fields, and what has several parts are blocks. */
function isBlock(node: YAMLMap | YAMLSeq, depth: number): boolean {
  if (isSeq(node)) {
    const isWhen = depth === 4
    return node.items.length > 0 && (depth === 1 || isWhen || (depth === 2 && node.items.length > 1))
  }
  return depth < 2 || node.has('updatedAt') || node.has('when')
}

function addComment(document: Document, choice: Choice): void {
  const path = choice.path.split('.')
  const name = path.at(-1) ?? ''
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1))
  if (!isMap(parent)) return
  const pair = parent.items.find(({ key }) => isScalar(key) && key.value === name)
  if (pair === undefined || !isScalar(pair.key)) return
  pair.key.commentBefore = toComment(listLines(choice))
  if (choice.value === 'TODO' && isScalar(pair.value)) pair.value.comment = ` ${choice.wanted}`
}

function toComment(lines: readonly string[]): string {
  return lines.map((line) => ` ${line}`).join('\n')
}

function listLines(choice: Choice): readonly string[] {
  const { value, confidence, wanted, reasons, runnersUp, undecided } = choice
  if (value === 'TODO')
    return [
      ...toLines(`TODO: ${capitalize(wanted)}: ${reasons.join('; ')}.`),
      ...runnersUp.flatMap((one) => toLines(`Candidate: ${describeRunnerUp(one)}`)),
    ]
  const others = runnersUp.map(({ label, points }) => `${label} (${formatPoints(points)})`)
  const about = `${capitalize(wanted)}${confidence === undefined ? '' : `, ${confidence}`}: ${reasons.join('; ')}.${others.length > 0 ? ` Others: ${others.join(', ')}.` : ''}`
  const lines = toLines(about)
  return undecided === undefined ? lines : [...lines, ...toLines(`VERIFY: ${undecided}`)]
}

function describeRunnerUp({ label, points, value }: Choice['runnersUp'][number]): string {
  return `${JSON.stringify(value)} is ${label} (${formatPoints(points)})`
}

/** Collections that were left out, at the end of the file. */
function addLeftOut(document: Document, { choices }: Proposal): void {
  const lines = choices
    .filter(({ value }) => value === undefined)
    .flatMap(({ wanted, reasons, undecided }) =>
      toLines(`${capitalize(wanted)}: ${undecided ?? reasons.join('; ')}.`),
    )
  if (lines.length > 0) document.comment = toComment(lines)
}

function addReasons(document: Document, { forbidden }: Proposal): void {
  const list = document.get('neverRead')
  if (!isSeq(list)) return
  list.items.forEach((item, at) => {
    const reason = forbidden[at]?.reason
    if (isScalar(item) && reason !== undefined) item.comment = ` ${reason}`
  })
}

/** A line break or another control character in a name would end the comment. */
function toLines(text: string): readonly string[] {
  return wrapText(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' '), widthMax)
}

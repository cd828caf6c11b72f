import { Document, Scalar, isMap, isScalar, isSeq, visit } from 'yaml'
import type { Pair } from 'yaml'
import { wrapText } from '../../values/printable.js'
import { todo } from './propose.js'
import type { Choice, Proposal } from './propose.js'

const widthMax = 110

/** The mapping file: above each place its reason, and behind each TODO its candidates. */
export function renderMapping({ mapping, choices }: Proposal): string {
  const document = new Document(mapping)
  document.commentBefore = toComment([
    'A skeleton, written by `vitrine init`. Decide each TODO with `vitrine facts`, then run `vitrine check` until it is silent.',
  ])
  for (const choice of choices) addComment(document, choice)
  visit(document, {
    Collection: (_, node, path) => {
      const depth = path.filter((one) => isMap(one) || isSeq(one)).length
      node.flow = isSeq(node) ? node.items.length < 2 || depth > 1 : depth >= 2 && !node.has('updatedAt')
    },
  })
  const timezone = document.get('timezone', true)
  if (isScalar(timezone) && timezone.value !== todo) timezone.type = Scalar.QUOTE_SINGLE
  return document.toString({ lineWidth: 0, flowCollectionPadding: true, singleQuote: true })
}

function addComment(document: Document, { path, wanted, value, chosen, others }: Choice): void {
  const pair = findPair(document, path.split('.'))
  if (!isScalar(pair?.key)) return
  const labels = others.map(({ label, why }) => `${label} (${why})`).join(', ')
  const asked = [...new Set(others.flatMap(({ ask }) => ask ?? []))].join(' ')
  const reason = chosen === undefined ? asked || 'nothing decides it' : chosen.why
  pair.key.commentBefore = toComment([`${wanted}: ${reason}${labels === '' ? '' : `; else ${labels}`}`])
  const list = others.map((one) => JSON.stringify(one.value)).join(' | ')
  if (value === todo && isScalar(pair.value)) pair.value.comment = ` candidates: ${list || 'none'}`
}

function findPair(document: Document, names: readonly string[]): Pair | undefined {
  const parent = names.length === 1 ? document.contents : document.getIn(names.slice(0, -1))
  return isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && key.value === names.at(-1))
    : undefined
}

function toComment(texts: readonly string[]): string {
  return texts
    .flatMap((text) => wrapText(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' '), widthMax))
    .map((line) => ` ${line}`)
    .join('\n')
}

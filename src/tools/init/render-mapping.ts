import { Document, Scalar, isMap, isScalar, isSeq, visit } from 'yaml'
import { wrapText } from '../../values/printable.js'
import { todo } from './propose.js'
import type { Choice, Proposal } from './propose.js'

const widthMax = 110

/** The mapping file: above each place its reason, and behind each TODO its candidates. */
export function renderMapping({ mapping, choices }: Proposal): string {
  const document = new Document(mapping)
  document.commentBefore = toComment(
    'A skeleton, written by `vitrine init`. Decide each TODO with `vitrine facts`, then run `vitrine check` until it is silent.',
  )
  visit(document, {
    Pair: (_, pair, ancestors) => {
      const names = [...ancestors, pair].flatMap((one) =>
        'key' in one && isScalar(one.key) ? [String(one.key.value)] : [],
      )
      const choice = choices.find(({ path }) => path === names.join('.'))
      if (choice === undefined || !isScalar(pair.key)) return
      pair.key.commentBefore = toComment(renderReason(choice))
      if (choice.value === todo && isScalar(pair.value)) pair.value.comment = renderCandidates(choice)
    },
    Collection: (_, node, path) => {
      const depth = path.filter((one) => isMap(one) || isSeq(one)).length
      node.flow = isSeq(node) ? node.items.length < 2 || depth > 1 : depth >= 2 && !node.has('updatedAt')
    },
  })
  const timezone = document.get('timezone', true)
  if (isScalar(timezone) && timezone.value !== todo) timezone.type = Scalar.QUOTE_SINGLE
  return document.toString({ lineWidth: 0, flowCollectionPadding: true, singleQuote: true })
}

function renderReason({ wanted, value, candidates }: Choice): string {
  const asked = [...new Set(candidates.flatMap(({ ask }) => ask ?? []))].join(' ')
  return `${wanted}: ${value === todo ? asked || 'nothing decides it' : (candidates[0]?.why ?? '')}`
}

function renderCandidates({ candidates }: Choice): string {
  return ` candidates: ${candidates.map(({ value }) => JSON.stringify(value)).join(' | ') || 'none'}`
}

function toComment(text: string): string {
  return wrapText(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' '), widthMax)
    .map((line) => ` ${line}`)
    .join('\n')
}

import { Document, isMap, isSeq, visit } from 'yaml'
import { wrapText } from '../../values/printable.js'
import { todo } from './propose.js'
import type { Choice, Proposal } from './propose.js'

/** The mapping file: above each place its reason, and behind each TODO its candidates. */
export function renderMapping({ choices, apiKeys, neverRead }: Proposal): string {
  const document = new Document({ apiKeys })
  document.commentBefore = toComment(
    'A skeleton, written by `vitrine init`. Decide each TODO with `vitrine facts`, then run `vitrine check` until it is silent.',
  )
  for (const choice of choices) setPlace(document, choice)
  document.set('neverRead', document.createNode(neverRead))
  visit(document, {
    Collection: (_, node, path) => {
      const depth = path.filter((one) => isMap(one) || isSeq(one)).length
      node.flow = isSeq(node) ? node.items.length < 2 || depth > 1 : depth >= 2 && !node.has('updatedAt')
    },
  })
  return document.toString({ lineWidth: 0, flowCollectionPadding: true, singleQuote: true })
}

function setPlace(document: Document, { path, wanted, value, reason, candidates }: Choice): void {
  const node = document.createNode(value)
  const values = candidates.map((one) => JSON.stringify(one.value)).join(' | ')
  if (value === todo) node.comment = ` candidates: ${values || 'none'}`
  const names = path.split('.')
  const key = document.createNode(names.pop())
  key.commentBefore = toComment(`${wanted}: ${reason}`)
  document.setIn([...names, key], node)
}

function toComment(text: string): string {
  return wrapText(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' '), 110)
    .map((line) => ` ${line}`)
    .join('\n')
}

import { toQuotedPlace } from '../db/quote.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { isNeverRead } from '../mapping/never-read.js'
import type { Finding } from './finding.js'
import type { ViewFacts } from './read-views.js'
import type { ViewText } from './view-definition.js'

/**
 * A finding for each view that touches a column which `neverRead` forbids, under whatever name it shows it, and
 * for each whose definition cannot be seen, since nothing is proved of it.
 */
export function judgeViews(
  { neverRead }: Mapping,
  views: readonly ViewFacts[],
  account: string,
): readonly Finding[] {
  if (neverRead.length === 0) return []
  return views.flatMap((view) =>
    view.text === null ? [toUnseenFinding(view, account)] : judgeText(neverRead, view, view.text),
  )
}

/** Every name in the text is held against the patterns: a column that only sorts or filters tells too. */
function judgeText(neverRead: readonly string[], view: ViewFacts, text: ViewText): readonly Finding[] {
  const forbidden = view.reads.flatMap(({ name: table }) =>
    text.names
      .filter((column) => isNeverRead(neverRead, table, column))
      .map((column) => `reads ${table}.${column}, which neverRead forbids`),
  )
  const hidden = text.functions.map(
    (name) => `calls the function ${name}, whose text cannot be seen: it may read what neverRead forbids`,
  )
  return [...new Set([...forbidden, ...hidden])].map((fault) => ({
    severity: 'error',
    object: toText(view),
    privilege: 'SELECT',
    problem: `a view that ${fault}`,
    mend: `make the view again without it: CREATE OR REPLACE VIEW ${toText(view)} AS …`,
  }))
}

function toUnseenFinding(view: ViewFacts, account: string): Finding {
  const isInner = !view.mapped && view.isView
  return {
    severity: 'error',
    object: toText(view),
    privilege: 'SHOW VIEW',
    problem: view.isView
      ? 'a view whose definition cannot be seen, so that it may show what neverRead forbids'
      : 'read by a view, and cannot be seen: if it is a view, it may show what neverRead forbids',
    // SHOW CREATE VIEW wants SELECT as well, which nobody should have on a view that is only read by another.
    mend: isInner
      ? `make the view above it read tables instead of ${toText(view)}`
      : `GRANT SHOW VIEW ON ${toText(view)} TO ${account};`,
  }
}

function toText({ database, name }: ViewFacts): string {
  return toQuotedPlace(database, name)
}

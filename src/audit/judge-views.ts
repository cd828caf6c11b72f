import { toQuotedName } from '../db/quote.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { isNeverRead } from '../mapping/never-read.js'
import type { Finding } from './finding.js'
import type { ViewFacts } from './read-views.js'

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
    view.definition === null ? [toUnseenFinding(view, account)] : judgeDefinition(neverRead, view),
  )
}

/** Every name in the definition is held against the patterns: a column that only sorts or filters tells too. */
function judgeDefinition(neverRead: readonly string[], view: ViewFacts): readonly Finding[] {
  const names = [...(view.definition ?? '').matchAll(/`((?:[^`]|``)+)`/gu)].map(([, name = '']) =>
    name.replaceAll('``', '`'),
  )
  const forbidden = view.reads.flatMap(({ name: table }) =>
    names.filter((column) => isNeverRead(neverRead, table, column)).map((column) => `${table}.${column}`),
  )
  return [...new Set(forbidden)].map((column) => ({
    severity: 'error',
    object: toText(view),
    privilege: 'SELECT',
    problem: `a view that reads ${column}, which neverRead forbids`,
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
  return `${toQuotedName(database)}.${toQuotedName(name)}`
}

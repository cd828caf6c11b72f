import { isUnique } from '../description.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { countPoints, pointsMin, rankCandidates } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { describeType, toCandidate } from './columns.js'

/** Frameworks give a text without a length of its own so many characters. */
const textMax = 255

/** Whether a column can hold the id of a row, whatever its name. */
export function canBeId({ kind, length }: DescribedColumn): boolean {
  return kind === 'integer' || (kind === 'text' ? length <= textMax : kind === 'binary' && length === 16)
}

/** The primary key of one column, or another unique column; where there is none, whatever could be one. */
export function listIds(table: DescribedTable): readonly Candidate[] {
  const found = table.columns
    .filter(
      ({ kind, nullable }) => ['integer', 'text', 'binary'].includes(kind) && (!nullable || table.isView),
    )
    .map((column) => {
      const written = { reading: { column: column.name }, verify: verifyUuid(column) }
      const evidence: readonly Evidence[] = [weighId(table, column.name), [0, describeType(column)]]
      return toCandidate({ steps: [], table }, written, evidence)
    })
  const ranked = rankCandidates(found)
  const unique = ranked.filter((one) => countPoints(one) >= pointsMin)
  return unique.length > 0 ? unique : ranked.slice(0, 4)
}

function weighId(table: DescribedTable, name: string): Evidence {
  if (table.primary.length === 1 && table.primary[0] === name) return [10, 'the primary key']
  if (isUnique(table, name)) return [5, 'a unique index']
  if (table.isView && /^id$/i.test(name)) return [4, 'its name']
  return [0, 'no index makes it unique by itself, as an id must be; a view can have such a column']
}

/** What is to be verified of 16 bytes: neither name nor type shows their order. */
export function verifyUuid({ name, kind, length }: DescribedColumn): string | undefined {
  return kind === 'binary' && length === 16
    ? `the bytes are read in order; where UUID_TO_BIN(…, 1) stored them: { column: ${name}, as: uuid-swapped }`
    : undefined
}

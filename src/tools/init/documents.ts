import type { DescribedColumn, DescribedTable } from '../description.js'
import { countPoints, isSection, pointsMin, rankCandidates, toColumnName } from './candidate.js'
import type { Candidate, MappingValue } from './candidate.js'
import { findColumns, toCandidate, weighWays } from './columns.js'
import type { ColumnPlace, Search } from './columns.js'

/** What a text inside a document is worth beside what its name is, and each step to it. */
const weights = { inDocument: -1, step: -0.5 } as const

/** Whether a column can hold documents: MariaDB shows JSON as a LONGTEXT of this collation. */
function isDocument({ kind, type, collation }: DescribedColumn): boolean {
  return kind === 'json' || (/^longtext/i.test(type) && collation === 'utf8mb4_bin')
}

/** The candidates of a place inside JSON documents of the row, and of the rows that it leads to. */
export async function listInDocuments(
  search: Search,
  table: DescribedTable,
  { rule, weighWay }: ColumnPlace,
): Promise<readonly Candidate[]> {
  const [own, ...ways] = search.graph.listWays(table)
  const all = [{ way: own, onWay: undefined }, ...(weighWay === undefined ? [] : weighWays(ways, weighWay))]
  const lists = all.flatMap(({ way, onWay }) =>
    way.table.columns.filter(isDocument).map(async (column) => {
      const paths = await search.content.readPaths(way.table, column)
      return paths.flatMap((path) => {
        // A table of this one key, so that the rule says what its name is worth.
        const [found] = findColumns(toTable(way.table, column, path), rule)
        if (found === undefined) return []
        const json = `$.${path.join('.')}`
        const candidate = toCandidate(way, { reading: { column: column.name, json } }, [
          ...(onWay === undefined ? [] : [onWay]),
          [weights.inDocument + (path.length - 1) * weights.step, `a value at ${json} in a document`],
          ...found.evidence.slice(0, 1),
        ])
        return [{ ...candidate, label: `${json} in ${candidate.label}` }]
      })
    }),
  )
  return rankCandidates((await Promise.all(lists)).flat())
}

const asText = { kind: 'text', type: 'varchar(255)', length: 255 } as const

function toTable(table: DescribedTable, column: DescribedColumn, path: readonly string[]): DescribedTable {
  return { ...table, columns: [{ ...column, ...asText, name: path.at(-1) ?? '' }] }
}

/** Columns of text, values in JSON documents, and a column with another place for the rows in which it has none. */
export async function listTexts(
  search: Search,
  table: DescribedTable,
  { place, columns }: { readonly place: ColumnPlace; readonly columns: readonly Candidate[] },
): Promise<readonly Candidate[]> {
  const all = rankCandidates([...columns, ...(await listInDocuments(search, table, place))])
  const [best] = all
  const own = table.columns.find(({ name }) => name === best?.value)
  const [other, ...others] = all.filter(
    (one) => isFallback(search, one.value) && countPoints(one) >= pointsMin,
  )
  // The same column of the same row before another of it.
  const next = others.find(({ value }) => hasOwnName(value, other?.value, best?.value)) ?? other
  if (best === undefined || own?.nullable !== true || next === undefined) return all
  const first = {
    value: { first: [best.value, next.value] },
    label: `${best.label}, else ${next.label}`,
    evidence: [
      [countPoints(best) + fallbackPoints, `${own.name} can be NULL, and a row without it is no record`],
    ],
    verify: `is ${next.label} right for a row without ${own.name}?`,
  } satisfies Candidate
  return [first, ...all]
}

/** Whether a place is that of another one but for its column, which has the name of the own column. */
function hasOwnName(
  value: MappingValue,
  other: MappingValue | undefined,
  own: MappingValue | undefined,
): boolean {
  const column = toColumnName(own)
  return (
    isSection(value) &&
    isSection(other) &&
    value['column'] === column &&
    JSON.stringify({ ...other, column }) === JSON.stringify(value)
  )
}

/** A column of another table, which is no key there: the id of an order is no name. */
function isFallback({ graph }: Search, value: MappingValue): boolean {
  if (!isSection(value) || typeof value['from'] !== 'string' || 'columns' in value) return false
  // Who is two steps away, such as the user of an order, is another person.
  if (typeof value['on'] !== 'string') return false
  return graph.description.get(value['from'])?.primary.includes(toColumnName(value) ?? '') === false
}

/** A column with a second place, over the column alone. */
const fallbackPoints = 0.5

import type { DescribedTable } from '../database/description.js'
import { toChoice } from './answers.js'
import type { Answers, Choice } from './answers.js'
import { countPoints, formatPoints, listReasons } from './candidate.js'
import type { Candidate, Question } from './candidate.js'
import { rankTables, tablePointsMin } from './tables.js'
import type { TableSearch } from './tables.js'

/** The names of the collections, in the order of the file. */
export const collectionNames = ['registrations', 'invoices'] as const

/** The name of a collection. */
export type CollectionName = (typeof collectionNames)[number]

/** Tables that the command line names; `none` leaves the collection out. */
export type NamedTables = Readonly<Partial<Record<CollectionName, string>>>

/** The table of a collection, undefined where it is left out, with the choice that was made. */
export interface TableChoice {
  readonly name: CollectionName
  readonly table: DescribedTable | undefined
  readonly choice: Choice
}

/** Tables that are shown: at most, and with how many points. */
const shown = { max: 7, pointsMin: 5 } as const

type Candidates = readonly Candidate<DescribedTable>[]

/**
 * Chooses the table of each collection. A collection without a table that fits well is left out, and the nearest table
 * is named; where both have none, the nearest of all is taken, because a mapping needs one.
 */
export async function chooseTables(
  search: TableSearch,
  answers: Answers,
  named: NamedTables,
): Promise<readonly TableChoice[]> {
  const registrations = rankTables(search, 'registrations')
  const invoices = rankTables(search, 'invoices')
  const fits = (candidates: Candidates): boolean => countBest(candidates) >= tablePointsMin
  const isNeither = !fits(registrations) && !fits(invoices)
  const isNearer = named.registrations !== 'none' && countBest(registrations) >= countBest(invoices)
  const choose = async (
    name: CollectionName,
    candidates: Candidates,
    isTaken: boolean,
  ): Promise<TableChoice> => {
    const question = {
      path: `${name}.table`,
      wanted: `the table of the ${name}`,
      candidates: candidates
        .filter((one, at) => at === 0 || countPoints(one) >= shown.pointsMin)
        .slice(0, shown.max),
      optional: true,
      important: true,
      isNearest: !isTaken,
    }
    const asked = named[name]
    if (asked !== undefined) {
      const given = candidates.find(({ value }) => value.name === asked)
      return { name, ...toTableChoice(name, question, { chosen: given, isNamed: true }) }
    }
    // Without a person, a table that fits badly is taken only where nothing else is there.
    const best = isTaken ? question.candidates[0] : undefined
    const chosen = answers.isUnattended ? best : await answers.choose(question)
    return { name, ...toTableChoice(name, question, { chosen, isNamed: false }) }
  }
  const first = await choose('registrations', registrations, isNeither ? isNearer : fits(registrations))
  const others = invoices.filter(({ value }) => value !== first.table)
  // One table can hold both, as bookings with their amounts do, where no other fits.
  const rest = fits(others) ? others : invoices
  return [first, await choose('invoices', rest, isNeither ? !isNearer : fits(invoices))]
}

function countBest([best]: Candidates): number {
  return best === undefined ? -100 : countPoints(best)
}

function toTableChoice(
  name: CollectionName,
  question: Question<DescribedTable>,
  { chosen, isNamed }: { chosen: Candidate<DescribedTable> | undefined; isNamed: boolean },
): Pick<TableChoice, 'table' | 'choice'> {
  const { undecided, ...choice } = toChoice(question, chosen, (table) => table.name)
  const toNoted = (note: string | undefined): Choice =>
    isNamed || note === undefined ? choice : { ...choice, undecided: note }
  if (chosen !== undefined) {
    const isUncertain = countPoints(chosen) < tablePointsMin
    const uncertainty = `init is unsure that ${chosen.label} has the ${name}; --${name} TABLE takes another one, --${name} none leaves them out`
    return { table: chosen.value, choice: toNoted(isUncertain ? uncertainty : undecided) }
  }
  const [nearest] = question.candidates
  const near =
    nearest === undefined
      ? ''
      : `; the nearest is ${nearest.label} (${formatPoints(countPoints(nearest))}: ${listReasons(nearest).join(', ')}), which --${name} ${nearest.label} takes`
  const reason = isNamed ? 'it was left out' : `no table fits well enough (${tablePointsMin} points)`
  const note = toNoted(`the ${name} were not found and are left out${near}`)
  return { table: undefined, choice: { ...note, value: undefined, reasons: [reason] } }
}

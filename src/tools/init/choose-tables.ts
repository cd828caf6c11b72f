import type { DescribedTable } from '../description.js'
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
export type NamedTables = Readonly<Partial<Record<CollectionName, string | undefined>>>

/** The table of a collection, undefined where it is left out, with the choice that was made. */
export interface TableChoice {
  readonly name: CollectionName
  readonly table: DescribedTable | undefined
  readonly choice: Choice
}

/** Tables that are shown: at most, and with how many points. */
const shown = { max: 7, pointsMin: 7 } as const

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
  const registrations = await rankTables(search, 'registrations')
  const invoices = await rankTables(search, 'invoices')
  const isNearer = named.registrations !== 'none' && countBest(registrations) >= countBest(invoices)
  const fitsOne = fits(registrations) || fits(invoices)
  const first = await chooseTable('registrations', registrations, {
    answers,
    asked: named.registrations,
    isTaken: fitsOne ? fits(registrations) : isNearer,
  })
  const others = invoices.filter(({ value }) => value !== first.table)
  const second = await chooseTable('invoices', fits(others) ? others : invoices, {
    answers,
    asked: named.invoices,
    isTaken: fitsOne ? fits(invoices) : !isNearer,
  })
  return [first, second]
}

function countBest([best]: Candidates): number {
  return best === undefined ? -100 : countPoints(best)
}

function fits(candidates: Candidates): boolean {
  return countBest(candidates) >= tablePointsMin
}

/** @param isTaken whether the best table is proposed. */
async function chooseTable(
  name: CollectionName,
  candidates: Candidates,
  { answers, asked, isTaken }: { answers: Answers; asked: string | undefined; isTaken: boolean },
): Promise<TableChoice> {
  const question = {
    path: `${name}.table`,
    wanted: `the table of the ${name}`,
    // A person can take any table; a report shows those that fit.
    candidates: answers.isUnattended
      ? candidates.filter((one, at) => at < shown.max && (at === 0 || countPoints(one) >= shown.pointsMin))
      : candidates,
    optional: true,
    important: true,
    isNearest: !isTaken,
  }
  if (asked !== undefined) {
    const given = candidates.find(({ value }) => value.name === asked)
    const { undecided: _, ...choice } = toTableChoice(name, question, given)
    return { name, table: given?.value, choice: given === undefined ? toLeftOut(choice) : choice }
  }
  const best = isTaken ? question.candidates[0] : undefined
  const chosen = answers.isUnattended ? best : await answers.choose(question)
  const choice = toTableChoice(name, question, chosen)
  const isLeftOut = chosen === undefined && !answers.isUnattended
  return { name, table: chosen?.value, choice: isLeftOut ? toLeftOut(choice) : choice }
}

/** A person who leaves a collection out has decided. */
function toLeftOut({ undecided: _, ...choice }: Choice): Choice {
  return { ...choice, reasons: ['it was left out'] }
}

function toTableChoice(
  name: CollectionName,
  question: Question<DescribedTable>,
  chosen: Candidate<DescribedTable> | undefined,
): Choice {
  const choice = toChoice(question, chosen, (table) => table.name)
  if (chosen === undefined) {
    const [nearest] = question.candidates
    const reason = `no table fits well enough (${tablePointsMin} points)`
    const near =
      nearest === undefined
        ? ''
        : `; the nearest is ${nearest.label} (${formatPoints(countPoints(nearest))}: ${listReasons(nearest).join(', ')}), which --${name} ${nearest.label} takes`
    const undecided = `the ${name} were not found and are left out${near}`
    return { ...choice, value: undefined, reasons: [reason], undecided }
  }
  if (countPoints(chosen) >= tablePointsMin) return choice
  const undecided = `init is unsure that ${chosen.label} has the ${name}; --${name} TABLE takes another one, --${name} none leaves them out`
  return { ...choice, undecided }
}

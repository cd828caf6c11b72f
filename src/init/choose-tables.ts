import { listReasons, toChoice } from './answers.js'
import type { Answers, Choice } from './answers.js'
import { countPoints, formatPoints } from './candidate.js'
import type { Candidate, Question } from './candidate.js'
import type { DescribedTable } from './description.js'
import { rankInvoiceTables, rankRegistrationTables, tablePointsMin } from './tables.js'
import type { TableSearch } from './tables.js'

/** The names of the collections, in the order of the file. */
export const collectionNames = ['registrations', 'invoices'] as const

/** The name of a collection. */
export type CollectionName = (typeof collectionNames)[number]

/** Tables that the command line names; `none` leaves the collection out. */
export type NamedTables = Readonly<Partial<Record<CollectionName, string>>>

/** The table of each collection that has one, with the choices that were made. */
export interface ChosenTables {
  readonly tables: ReadonlyMap<CollectionName, DescribedTable>
  readonly choices: readonly Choice[]
}

/** Tables that are shown, of those with more for them than against them. */
const shownMax = 7

type Candidates = readonly Candidate<DescribedTable>[]

/**
 * Chooses the table of each collection. A collection without a table that fits well is left out, and the nearest table
 * is named; where both have none, the nearest of all is taken, because a mapping needs one.
 */
export async function chooseTables(
  search: TableSearch,
  answers: Answers,
  named: NamedTables,
): Promise<ChosenTables> {
  const registrations = rankRegistrationTables(search)
  const invoices = rankInvoiceTables(search)
  const fits = (candidates: Candidates): boolean => countBest(candidates) >= tablePointsMin
  const [isRegistrations, isInvoices] = [fits(registrations), fits(invoices)]
  const isNeither = !isRegistrations && !isInvoices
  const isNearest = named.registrations !== 'none' && countBest(registrations) >= countBest(invoices)
  const first = await chooseTable(registrations, answers, {
    name: 'registrations',
    named,
    isTaken: isRegistrations || (isNeither && isNearest),
  })
  const others = invoices.filter(({ value }) => value !== first.table)
  // One table can hold both, as bookings with their amounts do, where no other fits.
  const second = await chooseTable(fits(others) ? others : invoices, answers, {
    name: 'invoices',
    named,
    isTaken: isInvoices || (isNeither && !isNearest),
  })
  const found: readonly (readonly [CollectionName, DescribedTable | undefined])[] = [
    ['registrations', first.table],
    ['invoices', second.table],
  ]
  return {
    tables: new Map(found.flatMap(([name, table]) => (table === undefined ? [] : [[name, table] as const]))),
    choices: [first.choice, second.choice],
  }
}

function countBest([best]: Candidates): number {
  return best === undefined ? -100 : countPoints(best)
}

interface TableChoice {
  readonly table: DescribedTable | undefined
  readonly choice: Choice
}

async function chooseTable(
  candidates: Candidates,
  answers: Answers,
  { name, named, isTaken }: { name: CollectionName; named: NamedTables; isTaken: boolean },
): Promise<TableChoice> {
  const asked = named[name]
  const shown = candidates.filter((one, at) => at === 0 || countPoints(one) > 0).slice(0, shownMax)
  const question: Question<DescribedTable> = {
    path: `${name}.table`,
    wanted: `the table of the ${name}`,
    candidates: shown,
    optional: true,
    important: true,
    isNearest: !isTaken,
  }
  const given = candidates.find(({ value }) => value.name === asked)
  const chosen = asked === undefined ? await choose(question, answers, isTaken) : given
  if (chosen === undefined) return { table: undefined, choice: toLeftOut(question, asked) }
  const choice = toChoice(question, chosen, (table) => table.name)
  const doubt =
    countPoints(chosen) < tablePointsMin
      ? `init is unsure that ${chosen.label} has the ${name}; --${name} TABLE takes another one, --${name} none leaves them out`
      : choice.undecided
  return {
    table: chosen.value,
    choice: { ...choice, ...(doubt === undefined || asked !== undefined ? {} : { undecided: doubt }) },
  }
}

/** Without a person, a table that fits badly is taken only where nothing else is there. */
async function choose(
  question: Question<DescribedTable>,
  answers: Answers,
  isTaken: boolean,
): Promise<Candidate<DescribedTable> | undefined> {
  if (answers.isUnattended) return isTaken ? question.candidates[0] : undefined
  return answers.choose(question)
}

function toLeftOut(
  { path, wanted, candidates }: Question<DescribedTable>,
  asked: string | undefined,
): Choice {
  const [name = ''] = path.split('.')
  const [nearest] = candidates
  const near =
    nearest === undefined
      ? ''
      : `; the nearest is ${nearest.label} (${formatPoints(countPoints(nearest))}: ${listReasons(nearest).join(', ')}), which --${name} ${nearest.label} takes`
  return {
    path,
    wanted,
    value: undefined,
    confidence: undefined,
    reasons: [
      asked === undefined ? `no table fits well enough (${tablePointsMin} points)` : 'it was left out',
    ],
    runnersUp: candidates.slice(0, 3).map((one) => ({
      label: one.label,
      points: Math.round(countPoints(one) * 10) / 10,
      value: one.label,
    })),
    ...(asked === undefined ? { undecided: `the ${name} were not found and are left out${near}` } : {}),
  }
}

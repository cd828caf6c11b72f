import { listCurrencies, listTotals } from './amounts.js'
import { sortByScore } from './candidate.js'
import type { Candidate, MappingValue } from './candidate.js'
import { chooseRows } from './choose-rows.js'
import { listDirect } from './column-rule.js'
import type { DescribedTable } from './description.js'
import { listInvoiceEvents } from './events.js'
import { toSection } from './section.js'
import type { Section, SectionInput } from './section.js'
import { chooseTimes } from './propose-registrations.js'
import { rules } from './rules.js'
import { invoiceSigns, listStatuses } from './status.js'
import { listCreated, listTimes } from './times.js'
import { invoiceTypes } from './visibility.js'

/** The section `invoices` for a table. */
export async function proposeInvoices(input: SectionInput): Promise<Section> {
  const { table, findReferences, readCodes, recorder } = input
  const rows = await chooseRows(input, 'invoices', invoiceTypes)
  const eventId = await recorder.choose({
    path: 'invoices.eventId',
    wanted: 'the event of an invoice',
    candidates: listInvoiceEvents(table, input),
  })
  const at = (field: string): string => `invoices.fields.${field}`
  const number = await recorder.choose({
    path: at('number'),
    wanted: 'the number that is printed on the invoice',
    candidates: listNumbers(table, rows.id),
  })
  const status = await recorder.choose({
    path: at('status'),
    wanted: 'the state of the invoice',
    candidates: await listStatuses(table, {
      readCodes,
      findReferences,
      signs: invoiceSigns,
      otherwise: 'ISSUED',
    }),
  })
  const total = await recorder.choose({
    path: at('total'),
    wanted: 'the grand total',
    candidates: listTotals(table),
  })
  const currency = await recorder.choose({
    path: at('currency'),
    wanted: 'the currency: a column with an ISO 4217 code, or { constant: SAR } for all',
    candidates: listCurrencies(table, findReferences),
  })
  const fields = { id: rows.id, number, status, total, currency, ...(await chooseDays(input)) }
  const times = await chooseTimes(input, 'invoices')
  return { ...rows.section, eventId: eventId ?? null, fields: { ...toSection(fields), ...times } }
}

/** The number, or else the id. */
function listNumbers(table: DescribedTable, id: MappingValue): readonly Candidate[] {
  const found = listDirect(table, rules.number)
  if (typeof id !== 'string') return found
  return sortByScore([
    ...found,
    {
      value: id,
      label: `${table.name}.${id}`,
      score: 1,
      reasons: ['no column looks like a number of invoices'],
      verify: 'is the id printed on the invoice?',
    },
  ])
}

async function chooseDays({ table, recorder }: SectionInput): Promise<Section> {
  const issueDate = await recorder.choose({
    path: 'invoices.fields.issueDate',
    wanted: 'the day of issue',
    candidates: [
      ...listTimes(table, rules.issueDate),
      ...listCreated(table).map((candidate) => ({
        ...candidate,
        score: candidate.score - 8,
        reasons: ['no column looks like the day of issue', ...candidate.reasons],
        verify: 'is an invoice issued on the day on which it is created?',
      })),
    ],
  })
  const dueDate = await recorder.choose({
    path: 'invoices.fields.dueDate',
    wanted: 'the day by which it is to be paid',
    candidates: [
      ...listTimes(table, rules.dueDate),
      {
        value: null,
        label: 'invoices have no due date',
        score: 0,
        reasons: ['no column looks like a due date'],
      },
    ],
  })
  return toSection({ issueDate, dueDate })
}

import type { DescribedColumn, DescribedTable } from '../database/description.js'
import type { Candidate, Evidence, MappingValue } from './candidate.js'
import { findColumns, isFlag, listCandidates, toCandidate } from './column-rule.js'
import type { ColumnRule, Search } from './column-rule.js'
import { writeCodes } from './status-codes.js'
import { listWays } from './ways.js'
import type { Way } from './ways.js'
import { toNoun } from './words.js'

/** A flag or a time that means a status when it is set. */
interface StatusSign {
  readonly then: string
  readonly rule: ColumnRule
}

/** What differs between the states of registrations and of invoices. */
export interface StatusWords {
  /** In the order in which they win. */
  readonly signs: readonly StatusSign[]
  /** The status of a record without any of them. */
  readonly otherwise: string
}

const at = '(?:_(?:at|on|date|time|am|le))?'

function toSign(then: string, names: string): StatusSign {
  const kinds = ['bit', 'integer', 'date', 'datetime', 'timestamp'] as const
  // A flag, or a time that is NULL until it happens.
  const accepts = (column: DescribedColumn): boolean =>
    isFlag(column) || (column.kind !== 'integer' && column.nullable)
  return { then, rule: { names: { 1: names }, kinds, accepts } }
}

const refunded = toSign(
  'REFUNDED',
  `(?:is_|was_)?refunded${at} date_refunded erstattet${at} reembolsado${at} rimborsato`,
)
const cancelled = `(?:is_|was_)?cancell?ed${at} cancell?ation_(?:date|time) date_cancel(?:led|ed)? storniert${at}
  annulee?${at} anulad[oa]${at} annullat[oa]${at} geannuleerd${at} cancelad[oa]${at} abgesagt${at} afgemeld${at} avbestilt`

/** The state of a registration. A refund mostly cancels too, so the other order would never show it. */
export const registrationStatus: StatusWords = {
  signs: [
    refunded,
    toSign('CANCELLED', cancelled),
    toSign('REJECTED', `(?:is_|was_)?(?:rejected|declined)${at} abgelehnt${at}`),
    toSign(
      'WAITLISTED',
      `(?:is_|on_)?wait_?list(?:ed)?${at} on_waiting_list warteliste auf_warteliste liste_attente wachtlijst`,
    ),
  ],
  otherwise: 'CONFIRMED',
}

/** The state of an invoice. */
export const invoiceStatus: StatusWords = {
  signs: [
    refunded,
    toSign('VOID', `(?:is_|was_)?(?:void|voided)${at} ${cancelled}`),
    toSign(
      'PAID',
      `(?:is_|was_)?(?:paid|settled)${at} date_paid payment_date (?:ist_)?bezahlt${at} payee?${at} pagad[oa]${at}
      pagat[oa]${at} betaald${at} paga data_pagamento fecha_pago betalt${at}`,
    ),
    toSign('DRAFT', '(?:is_)?draft entwurf brouillon borrador bozza concept'),
  ],
  otherwise: 'ISSUED',
}

const statusRule: ColumnRule = {
  names: {
    10: `status state etat estado stato zustand stand estatus situacao situation situazione (?:registration|reg|attendee|ticket|booking|rsvp|invoice|inv|document|doc|bill|participant|order|enrol?lment)_(?:status|state)(?:_id)?`,
    9: 'status_id state_id current_state current_status fk_statut statut fk_status id_status id_state id_estado estado_id',
    8: 'status_code state_code status_name workflow_state aasm_state',
    7: 'phase stage lifecycle condition',
    5: 'payment_status paid_status payment_state',
    3: '[a-z0-9_]+_(?:status|state)',
  },
  not: /email|mail_|sync|billing_state|shipping|address|einv|zatca|import|print|clearance|country|province|tax_/,
  kinds: ['text', 'integer'],
  accepts: ({ type, length }) => !/^(?:set|text|mediumtext|longtext)/i.test(type) && length <= 255,
}

/** The word in a table of statuses. */
const wordRule: ColumnRule = {
  names: {
    9: 'code slug key identifier machine_name constant',
    8: 'name status state word nombre nom bezeichnung',
    6: 'label title description value libelle',
  },
  kinds: ['text'],
}

/** What a status that is not in a column of the row is worth. */
const weights = { table: 11, parent: -6, signed: 8, constant: 3 } as const

/** Candidates for the status of a record: a column, a lookup of a status table, or flags and times. */
export async function listStatuses(
  search: Search,
  table: DescribedTable,
  words: StatusWords,
): Promise<readonly Candidate[]> {
  const [own, ...ways] = listWays(table, search.listParents)
  const columns = findColumns(table, statusRule).map(({ column }) => column)
  const direct = ways.filter(({ steps }) => steps.length === 1)
  // A column of a status that leads to another table leads to one of statuses.
  const tables = direct.filter(({ steps: [step] }) => step !== undefined && columns.includes(step.column))
  const lists = await Promise.all([
    listColumns(search, own, []),
    ...direct
      .filter(isOrder)
      .map((way) => listColumns(search, way, [[weights.parent, 'it is not in the row']])),
    ...tables.map((way) => readStatusTable(search, way)),
  ])
  return [...lists.flat(), ...listDerived(table, words)]
}

function listColumns(search: Search, way: Way, onWay: readonly Evidence[]): Promise<readonly Candidate[]> {
  return Promise.all(
    findColumns(way.table, statusRule).map(async ({ column, evidence }) =>
      toCandidate(way, await writeCodes(search, way, column), [...evidence, ...onWay]),
    ),
  )
}

async function readStatusTable(search: Search, way: Way): Promise<readonly Candidate[]> {
  const [word] = listCandidates(search, way.table, { column: wordRule })
  const column = way.table.columns.find(({ name }) => name === word?.value)
  if (column === undefined) return []
  const { codes } = await search.content.readCodes(way.table, column)
  const values = codes.length === 0 ? {} : { values: codes.map(({ code }) => code) }
  const reading = { column: column.name, ...values }
  return [toCandidate(way, { reading }, [[weights.table, 'a table of statuses']])]
}

/** The status that flags and times make together; without any, one word for all records. */
function listDerived(table: DescribedTable, { signs, otherwise }: StatusWords): readonly Candidate[] {
  const found = signs.flatMap(({ then, rule }) => {
    const columns = findColumns(table, rule).map(({ column }) => column)
    // A flag says it whether or not a time was stored with it.
    const sign = columns.find(isFlag) ?? columns[0]
    return sign === undefined ? [] : [{ then, sign }]
  })
  if (found.length === 0) return listConstant(table, otherwise)
  const when = found.map(({ then, sign }): MappingValue =>
    isFlag(sign) ? { column: sign.name, equals: 1, then } : { column: sign.name, is: 'set', then },
  )
  const label = found.map(({ sign }) => sign.name).join(', ')
  return [
    {
      value: { when, otherwise },
      label,
      evidence: [[weights.signed, `derived from ${label}; the first that holds wins`]],
      verify: `a record without any of these is ${otherwise}: is this the right word?`,
    },
  ]
}

/** One word for all records, by a column that is always set. */
function listConstant({ primary }: DescribedTable, otherwise: string): readonly Candidate[] {
  const [id] = primary
  if (id === undefined || primary.length > 1) return []
  return [
    {
      value: { when: [{ column: id, is: 'set', then: otherwise }], otherwise },
      label: `${otherwise} for every record`,
      evidence: [[weights.constant, 'no column looks like a status']],
      verify: `the product has no status that init could find: is every record ${otherwise}?`,
    },
  ]
}

/** The status of the order or booking that a record belongs to. */
function isOrder({ table }: Way): boolean {
  return /^(?:order|booking|purchase|registration|enrol?lment|buchung|reserva|commande|pedido|bestelling)$/.test(
    toNoun(table.name),
  )
}

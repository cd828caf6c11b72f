import { rankCandidates } from './candidate.js'
import type { Candidate, Evidence, MappingValue } from './candidate.js'
import { listCandidates, findColumns, toCandidate } from './column-rule.js'
import type { ColumnRule, Search } from './column-rule.js'
import { writeCodes } from './status-codes.js'
import { isUnique } from './description.js'
import type { DescribedColumn, DescribedTable } from './description.js'
import { listWays, toOwnWay } from './ways.js'
import type { Way } from './ways.js'
import { toNoun, toSnake } from './words.js'

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
  return {
    then,
    rule: {
      names: {
        1: names,
      },
      kinds: ['bit', 'integer', 'date', 'datetime', 'timestamp'],
      accepts: isSign,
    },
  }
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
const weights = {
  table: 11,
  parent: -6,
  signed: 7,
  eachSign: 0.5,
  noCodes: -3,
  byWords: 6,
  none: 3.2,
} as const

/** Candidates for the status of a record: a column, a lookup of a status table, or flags and times. */
export async function listStatuses(
  search: Search,
  table: DescribedTable,
  words: StatusWords,
): Promise<readonly Candidate[]> {
  const ways = listWays(table, search.listParents)
  const isDirect = (way: Way): boolean => way.steps.length === 1
  const tables = ways.filter((way) => isDirect(way) && isStatusTable(way))
  const orders = ways.filter((way) => isDirect(way) && isOrder(way))
  const columns = await Promise.all(
    [toOwnWay(table), ...orders].flatMap((way) =>
      findColumns(way.table, statusRule).map(async ({ column, evidence }): Promise<Candidate> => {
        const written = await writeCodes(search, way, column)
        const onWay =
          way.steps.length === 0 ? [] : [{ points: weights.parent, reason: 'it is not in the row' }]
        return toCandidate(way, written, [...evidence, ...onWay])
      }),
    ),
  )
  const lookups = await Promise.all(tables.map((way) => readStatusTable(search, way)))
  const named = [...columns, ...lookups.flat(), ...listSigned(table, words)]
  const found = named.length > 0 ? named : await listByWords(search, table)
  return rankCandidates([...found, ...listConstant(table, words, found.length === 0)])
}

/** Words that a status has, in several languages. */
const statusWords =
  /confirm|cancel|pending|paid|unpaid|draft|open|closed|void|refund|wait|approv|reject|active|registered|attend|complet|bestaetigt|bezahlt|offen|storniert|angemeldet|annul|paye|valid|attente|brouillon|confirmad|pagad|anulad|pendiente|confermat|pagat|bevestigd|betaald|open|afgemeld|new|sent|overdue/i

/** A column without a name of a status whose few values are words of one. */
async function listByWords(search: Search, table: DescribedTable): Promise<readonly Candidate[]> {
  const short = table.columns.filter(
    ({ name, kind, length, type }) =>
      kind === 'text' && (length <= 40 || /^enum/i.test(type)) && !isUnique(table, name),
  )
  const lists = await Promise.all(
    short.map(async (column): Promise<readonly Candidate[]> => {
      const { codes } = await search.content.readCodes(table, column)
      const known = codes.filter(({ code }) => statusWords.test(code))
      if (known.length < 2 || known.length < codes.length / 2) return []
      const written = await writeCodes(search, toOwnWay(table), column)
      return [
        toCandidate(toOwnWay(table), written, [
          { points: weights.byWords, reason: 'its values are words of a status' },
        ]),
      ]
    }),
  )
  return lists.flat()
}

/** `status_id` that leads to a table of statuses. */
function isStatusTable({ steps, table }: Way): boolean {
  const isNamed = /^(?:status|state|stage|phase|statut|statuse|estado|stato|etat)$/.test(toNoun(table.name))
  const isType = /(?:status|state|statut|estado)_(?:type|code|master|def)$/.test(
    toSnake(table.name).replace(/s$/, ''),
  )
  return (
    (isNamed || isType) &&
    steps.every(({ column }) => !/country|billing|shipping|address|province/.test(toSnake(column.name)))
  )
}

async function readStatusTable(search: Search, way: Way): Promise<readonly Candidate[]> {
  const evidence: readonly Evidence[] = [{ points: weights.table, reason: 'a table of statuses' }]
  const [word] = await listCandidates(search, way.table, wordRule)
  if (word === undefined || typeof word.value !== 'string') return []
  const column = way.table.columns.find(({ name }) => name === word.value)
  const codes = column === undefined ? [] : (await search.content.readCodes(way.table, column)).codes
  const values = codes.length === 0 ? {} : { values: codes.map(({ code }) => code) }
  return [toCandidate(way, { reading: { column: word.value, ...values }, evidence: [] }, evidence)]
}

/** The status that flags and times make together. */
function listSigned(table: DescribedTable, { signs, otherwise }: StatusWords): readonly Candidate[] {
  const found = signs.flatMap(({ then, rule }) => {
    const columns = findColumns(table, rule).map(({ column }) => column)
    // A flag says it whether or not a time was stored with it.
    const [sign] = [...columns].sort((one, other) => Number(isFlag(other)) - Number(isFlag(one)))
    return sign === undefined ? [] : [{ then, sign }]
  })
  if (found.length === 0) return []
  const when = found.map(({ then, sign }): MappingValue =>
    isFlag(sign) ? { column: sign.name, equals: 1, then } : { column: sign.name, is: 'set', then },
  )
  const names = found.map(({ sign }) => sign.name).join(', ')
  return [
    {
      value: { when, otherwise },
      label: names,
      evidence: [
        {
          points: weights.signed + found.length * weights.eachSign,
          reason: `derived from ${names}; the first that holds wins`,
        },
      ],
      verify: `a record without any of these is ${otherwise}: is this the right word?`,
    },
  ]
}

function isFlag({ kind }: DescribedColumn): boolean {
  return kind === 'integer' || kind === 'bit'
}

/** A flag, or a time that is NULL until it happens. */
function isSign({ kind, type, nullable }: DescribedColumn): boolean {
  return kind === 'bit' || (kind === 'integer' ? /^(?:tinyint|smallint)/i.test(type) : nullable)
}

/** The status of the order or booking that a record belongs to. */
function isOrder({ table }: Way): boolean {
  return /^(?:order|booking|purchase|registration|enrol?lment|buchung|reserva|commande|pedido|bestelling)$/.test(
    toNoun(table.name),
  )
}

/** One word for all records, by a column that is always set. */
function listConstant(
  { primary }: DescribedTable,
  { otherwise }: StatusWords,
  isOnly: boolean,
): readonly Candidate[] {
  const [id] = primary
  if (id === undefined || primary.length > 1) return []
  return [
    {
      value: { when: [{ column: id, is: 'set', then: otherwise }], otherwise },
      label: `${otherwise} for every record`,
      evidence: [{ points: isOnly ? weights.none : 0, reason: 'no column looks like a status' }],
      verify: `the product has no status that init could find: is every record ${otherwise}?`,
    },
  ]
}

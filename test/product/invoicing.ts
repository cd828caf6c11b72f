import { createHash } from 'node:crypto'
import { keySeeds } from './key-seeds.js'
import {
  canary,
  canaryDay,
  canaryNumber,
  inRepository,
  toBreakage,
  toDatabaseTime,
  toPublicAmount,
  toPublicTime,
  toTable,
} from './product.js'
import type { Cell, Product, View } from './product.js'
import { minorDigits } from './truth.js'
import type { Currency, InvoiceStatus, InvoiceTruth } from './truth.js'

/** A product like SolidInvoice: amounts as integers with two decimals, words for the status in a table, and no events. */
export const invoicing: Product = {
  name: 'invoicing',
  collections: ['invoices'],
  listsStatuses: ['invoices'],
  singleTenant: false,
  schemaFile: inRepository('test/product/invoicing.sql'),
  mappingFile: inRepository('test/product/invoicing.yaml'),
  // The first two differ by case alone, which the collation of the invoices ignores.
  workspaceId: (workspace) => companyKeys[workspace] ?? '',
  eventId: (event) => String(event),
  fractionDigits: { registrations: 3, invoices: 3 },
  toSortKey: { registrations: (id) => id, invoices: (id) => id.toLowerCase() },
  toRows: (truth) => [
    toTable('si_company', truth.workspaces.map(toCompany)),
    toTable('si_api_tokens', keySeeds.map(toToken)),
    toTable('si_currencies', currencies.map(toCurrency)),
    toTable('si_clients', truth.workspaces.flatMap(toClients)),
    toTable('si_invoice_statuses', Object.entries(statusNames).map(toStatus)),
    toTable('si_invoices', truth.invoices.map(toInvoiceRow)),
  ],
  toRegistration: () => undefined,
  toInvoice: (truth) => (truth.archived === 'no' && !truth.broken ? toInvoiceView(truth) : undefined),
  toInvoiceEvent: () => null,
}

const companyKeys = ['cmp-Qimam7', 'CMP-qimam7', 'cmp-Empty', 'cmp-Nordlys']
const currencies = Object.keys(minorDigits) as readonly Currency[]
const statusNames: Readonly<Record<number, string>> = {
  1: 'Draft',
  2: 'Sent',
  3: 'Viewed',
  4: 'Paid',
  5: 'Void',
  7: 'Reversed',
}
/** Two codes mean the same to callers. */
const statusIds: Readonly<Record<InvoiceStatus, readonly number[]>> = {
  DRAFT: [1],
  ISSUED: [2, 3],
  PAID: [4],
  VOID: [5],
}

/** Ways in which a row cannot be shown: a status that the mapping lacks, no such status, no currency, no number. */
const breakages = ['status', 'missing status', 'currency', 'client', 'number'] as const

function toCompany(name: string, workspace: number): Record<string, Cell> {
  return {
    company_key: invoicing.workspaceId(workspace),
    name: `${canary} ${name}`,
    vat_number: `${canary} vat`,
    smtp_password: `${canary} password`,
  }
}

function toToken(key: (typeof keySeeds)[number]): Record<string, Cell> {
  return {
    id: key.hash.subarray(0, 16),
    company_key: invoicing.workspaceId(key.workspace),
    name: `${canary} token ${key.label}`,
    token_hash: key.hash.toString('hex'),
    permissions: key.scopes.join(', '),
    valid_until: key.expired ? '2026-01-31 23:59:59.999' : null,
    revoked: key.revoked ? '2026-02-01 00:00:00' : null,
  }
}

function toCurrency(code: Currency, at: number): Record<string, Cell> {
  return { id: at + 1, code, name: `${canary} currency`, exchange_rate: `${canaryNumber.slice(0, 7)}.000001` }
}

/** One for each currency, and one without. */
function toClients(_name: string, workspace: number): readonly Record<string, Cell>[] {
  return [...currencies, null].map((code, at) => ({
    id: toClientId(workspace, at),
    company_key: invoicing.workspaceId(workspace),
    currency_id: code === null ? null : at + 1,
    name: `${canary} client`,
    website: `${canary} website`,
    vat_number: `${canary} vat`,
    private_notes: `${canary} notes`,
  }))
}

function toClientId(workspace: number, at: number): number {
  return workspace * 10 + at + 1
}

function toStatus([id, name]: [string, string]): Record<string, Cell> {
  return { id, name, sort_order: canaryNumber }
}

function toInvoiceRow(truth: InvoiceTruth): Record<string, Cell> {
  const broken = toBreakage(truth, breakages)
  return {
    id: toId(truth),
    company_key: invoicing.workspaceId(truth.workspace),
    client_id: toClientOf(truth, broken),
    status_id: toStatusId(truth, broken),
    invoice_number: broken === 'number' ? null : toNumber(truth),
    po_number: `${canary} order`,
    public_token: `${canary} token ${truth.key}`,
    subtotal_amount: canaryNumber,
    tax_amount: canaryNumber,
    discount_amount: canaryNumber,
    total_amount: truth.minor,
    balance_amount: canaryNumber,
    terms: `${canary} terms`,
    notes: `${canary} notes`,
    einvoice_submission_id: `${canary} submission`,
    einvoice_xml: `<xml>${canary}</xml>`,
    invoice_date: toDatabaseTime(truth.issuedAt, 0).slice(0, 10),
    due_date: truth.dueAt === null ? null : toDatabaseTime(truth.dueAt, 0).slice(0, 10),
    paid_on: `${canaryDay} 00:00:00`,
    is_deleted: truth.archived === 'flag' ? 1 : 0,
    archived_at: truth.archived === 'time' ? `${canaryDay} 00:00:00` : null,
    created: toDatabaseTime(truth.createdAt, 3),
    updated: toDatabaseTime(truth.updatedAt, 3),
  }
}

type Broken = (typeof breakages)[number] | undefined

function toClientOf(truth: InvoiceTruth, broken: Broken): number {
  if (broken === 'client') return 999_999
  const at = broken === 'currency' ? currencies.length : currencies.indexOf(truth.currency)
  return toClientId(truth.workspace, at)
}

function toStatusId({ status, key }: InvoiceTruth, broken: Broken): number {
  if (broken === 'status') return 7
  return broken === 'missing status' ? 99 : (statusIds[status][key % statusIds[status].length] ?? 1)
}

/** Letters and digits of both cases; no two are the same without their case. */
function toId({ key }: InvoiceTruth): string {
  return `inv_${createHash('sha256').update(`invoicing ${key}`).digest('base64').replace(/[+/]/g, 'x').slice(0, 18)}`
}

function toNumber({ number }: InvoiceTruth): string {
  return `2026/${number}`
}

function toInvoiceView(truth: InvoiceTruth): View {
  return {
    id: toId(truth),
    number: toNumber(truth),
    status: truth.status,
    total: toPublicAmount(truth.minor, 2, truth.currency),
    currency: truth.currency,
    issueDate: toPublicTime(truth.issuedAt).slice(0, 10),
    dueDate: truth.dueAt === null ? null : toPublicTime(truth.dueAt).slice(0, 10),
    createdAt: toPublicTime(truth.createdAt),
    updatedAt: toPublicTime(truth.updatedAt),
  }
}

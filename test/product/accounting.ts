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
  toScaled,
  toSecond,
  toTable,
} from './product.js'
import type { Cell, Product, View } from './product.js'
import { minorDigits } from './truth.js'
import type { Currency, InvoiceStatus, InvoiceTruth, Truth } from './truth.js'

const offsetMinutes = -210

/** A product like Akaunting: one table for documents of every type, amounts as DOUBLE, and no registrations. */
export const accounting: Product = {
  name: 'accounting',
  collections: ['invoices'],
  listsStatuses: ['invoices'],
  singleTenant: false,
  schemaFile: inRepository('test/product/accounting.sql'),
  mappingFile: inRepository('test/product/accounting.yaml'),
  workspaceId: (workspace) => String(workspace + 1),
  eventId: (event) => String(event),
  fractionDigits: { registrations: 0, invoices: 0 },
  toSortKey: { registrations: (id) => id, invoices: (id) => id.padStart(20, '0') },
  toRows: (truth) => [
    toTable('q8r_companies', truth.workspaces.map(toCompany)),
    toTable('q8r_personal_access_tokens', keySeeds.map(toToken)),
    toTable('q8r_currencies', truth.workspaces.flatMap(toCurrencies)),
    toTable('q8r_documents', toDocuments(truth)),
  ],
  toRegistration: () => undefined,
  toInvoice: (truth) => (truth.archived === 'no' && !truth.broken ? toInvoiceView(truth) : undefined),
  toInvoiceEvent: () => null,
}

const currencies = Object.keys(minorDigits) as readonly Currency[]
const statuses: Readonly<Record<InvoiceStatus, string>> = {
  DRAFT: 'draft',
  ISSUED: 'sent',
  PAID: 'paid',
  VOID: 'cancelled',
}

/** Ways in which a row cannot be shown: a status that only resembles one, one that is new, no such currency, no amount. */
const breakages = ['case', 'status', 'currency', 'amount', 'updated'] as const

function toCompany(name: string, workspace: number): Record<string, Cell> {
  return {
    id: accounting.workspaceId(workspace),
    domain: `${canary} ${name}`,
    created_from: `${canary} from`,
    created_at: `${canaryDay} 00:00:00`,
  }
}

function toToken(key: (typeof keySeeds)[number]): Record<string, Cell> {
  return {
    company_id: accounting.workspaceId(key.workspace),
    name: `${canary} token ${key.label}`,
    token: key.hash.toString('hex'),
    abilities: key.scopes.join(','),
    last_used_at: `${canaryDay} 00:00:00`,
    expires_at: key.expired ? '2026-01-31 23:59:59' : null,
    deleted_at: key.revoked ? '2026-02-01 00:00:00' : null,
  }
}

/** Each company has its own. */
function toCurrencies(_name: string, workspace: number): readonly Record<string, Cell>[] {
  return currencies.map((code) => ({
    id: toCurrencyId(workspace, code),
    company_id: accounting.workspaceId(workspace),
    name: `${canary} name`,
    code,
    rate: canaryNumber,
    precision: canary,
    symbol: `${canary} symbol`,
    created_at: `${canaryDay} 00:00:00`,
  }))
}

function toCurrencyId(workspace: number, code: Currency): number {
  return workspace * currencies.length + currencies.indexOf(code) + 1
}

/** Invoices, and as many documents of other types, which no one may see. */
function toDocuments(truth: Truth): readonly Record<string, Cell>[] {
  const types = ['bill', 'credit-note', 'invoice-recurring', 'bill-recurring'] as const
  const others = truth.invoices.slice(0, 100).map((one) => ({
    ...toDocument(one),
    id: 2_000_000_000 + one.key,
    type: types[one.key % types.length] ?? 'bill',
    document_number: `${canary}-${one.number}`,
  }))
  return [...truth.invoices.map(toDocument), ...others]
}

function toDocument(truth: InvoiceTruth): Record<string, Cell> {
  const broken = toBreakage(truth, breakages)
  return {
    id: toId(truth),
    company_id: accounting.workspaceId(truth.workspace),
    type: 'invoice',
    document_number: toNumber(truth),
    order_number: `${canary} order`,
    status: broken === 'case' ? 'Paid' : broken === 'status' ? 'refunded' : statuses[truth.status],
    issued_at: toDatabaseTime(truth.issuedAt, 0, offsetMinutes),
    due_at: truth.dueAt === null ? null : toDatabaseTime(truth.dueAt, 0, offsetMinutes),
    amount: broken === 'amount' ? null : toDouble(truth),
    amount_paid: Number(canaryNumber),
    discount_rate: Number(canaryNumber),
    currency_id: broken === 'currency' ? 999_999 : toCurrencyId(truth.workspace, truth.currency),
    currency_rate: Number(canaryNumber),
    category_id: canaryNumber,
    contact_id: canaryNumber,
    contact_name: `${canary} contact`,
    contact_email: `${canary}@example.com`,
    contact_tax_number: `${canary} tax`,
    contact_phone: `${canary} phone`,
    contact_address: `${canary} address`,
    contact_city: `${canary} city`,
    contact_country: `${canary} country`,
    notes: `${canary} notes`,
    footer: `${canary} footer`,
    einvoice_uuid: `${canary} uuid`,
    einvoice_signed_xml: `<xml>${canary}</xml>`,
    einvoice_cleared_at: `${canaryDay} 23:59:59`,
    parent_id: canaryNumber,
    created_from: `${canary} from`,
    created_by: canaryNumber,
    created_at: toDatabaseTime(truth.createdAt, 0),
    updated_at: broken === 'updated' ? null : toDatabaseTime(truth.updatedAt, 0),
    deleted_at: truth.archived === 'no' ? null : `${canaryDay} 00:00:00`,
  }
}

function toId({ key }: InvoiceTruth): number {
  return 500 + ((key * 7919) % 1_000_003)
}

function toNumber({ number, key }: InvoiceTruth): string {
  return key % 10 === 0 ? `فاتورة-${number}` : `INV-${number}`
}

/** Ten-thousandths; most amounts have whole hundredths. */
function toUnits({ minor, key }: InvoiceTruth): bigint {
  return minor * 100n + (key % 9 === 4 ? 25n : 0n)
}

/** What sums of floating-point numbers leave: the amount, or a neighbour of it. */
function toDouble(truth: InvoiceTruth): number {
  const exact = Number(toScaled(toUnits(truth), 4))
  return truth.key % 4 === 1 ? exact * (1 + Number.EPSILON) : exact
}

function toInvoiceView(truth: InvoiceTruth): View {
  return {
    id: String(toId(truth)),
    number: toNumber(truth),
    status: statuses[truth.status],
    total: toPublicAmount(toUnits(truth), 4, truth.currency),
    currency: truth.currency,
    issueDate: toPublicTime(toSecond(truth.issuedAt)),
    dueDate: truth.dueAt === null ? null : toPublicTime(toSecond(truth.dueAt)),
    createdAt: toPublicTime(toSecond(truth.createdAt)),
    updatedAt: toPublicTime(toSecond(truth.updatedAt)),
  }
}

import { isSameName } from './description.js'
import type { DescribedTable, Description } from './description.js'
import { isNeverRead } from '../mapping/never-read.js'
import { splitWords, toSnake } from './words.js'

/** A column of the mapping. */
export interface UsedColumn {
  readonly table: string
  readonly column: string
}

/** A pattern of `neverRead`, with the reason. */
export interface ForbiddenPattern {
  readonly pattern: string
  readonly reason: string
}

const personal = 'personal data outside of the contract'
const kinds: readonly (readonly [reason: string, names: RegExp])[] = [
  [
    'e-invoicing',
    /(?:^|_)(?:e_?inv|e_?invoice|e_?invoicing|zatca|fatoora|cufe|peppol|irn|clearance|cleared|uuid_hash|signed_xml|submission_id|xml|qr_code_data|ubl|cfdi|fiscal_code|previous_hash|invoice_hash)(?:_|$)/,
  ],
  [
    'a secret or token',
    /(?:^|_)(?:passwords?|passwd|pwd|tokens?|secrets?|otp|totp|mfa|two_factor|hash|hashed|digest|salt|qr|qr_?codes?|barcode|badge|remember|api_?keys?|signature|signed|private|pin|pincode|iban|bic|swift|cards?|cvv|cvc|stripe|credentials?|recovery|webhook|cookie|auth|access_code|nonce|encrypted|gateway|payload|mandate)(?:_|$)/,
  ],
  [
    personal,
    /(?:^|_)(?:e_?mail|first_?name|last_?name|middle_?name|contact_name|customer_name|client_name|buyer_name|business|food|phones?|mobile|tel|telephone|fax|whatsapp|company|employer|job|job_?title|title|position|country|city|state_province|region|province|zip|postal|postcode|postal_?code|address|street|address\d?|birth|birthday|birthdate|dob|gender|sex|national|national_id|passport|ssn|id_number|nationality|notes?|comments?|remarks?|ip|ip_address|user_agent|latitude|longitude|lat|lng|diet|dietary|allergies|medical|emergency|photo|avatar|linkedin|twitter|language|locale|tax_number|vat_number|tax_id)(?:_|$)/,
  ],
  [
    'amounts outside of the contract',
    /^(?:total_|amount_)?(?:sub_?total|net|vat|tax|taxamt|gst|discounts?|paid|balance|balance_due|due|refunded)(?:_(?:total|amount))?$/,
  ],
]

/**
 * Patterns for `neverRead`: columns of the mapped tables, and whole tables that are all about secrets or e-invoicing.
 * No pattern matches a mapped column.
 */
export function listForbidden(
  description: Description,
  used: readonly UsedColumn[],
): readonly ForbiddenPattern[] {
  const tables = new Set(used.map(({ table }) => table))
  const patterns = [...description.values()].flatMap((table) =>
    tables.has(table.name) ? listColumns(table, used) : listTable(table),
  )
  const allowed = patterns.filter(
    ({ pattern }) => !used.some(({ table, column }) => isNeverRead([pattern], table, column)),
  )
  return [...new Map(allowed.map((one) => [one.pattern, one])).values()]
}

function listColumns(table: DescribedTable, used: readonly UsedColumn[]): readonly ForbiddenPattern[] {
  return table.columns.flatMap(({ name }): ForbiddenPattern[] => {
    if (isKey(table, name) || used.some((one) => one.table === table.name && isSameName(one.column, name)))
      return []
    const snake = toSnake(name)
    const reason = kinds.find(([, names]) => names.test(snake))?.[0]
    if (reason === personal && !isPersonal(table, snake)) return []
    return reason === undefined ? [] : [toPattern(table.name, widen(table, name, used), reason)]
  })
}

/** `company_id` holds a key, which says nothing of a person, and the title of an event is none of a person. */
function isPersonal({ columns }: DescribedTable, name: string): boolean {
  if (name === 'title') return columns.some((column) => /mail/i.test(column.name))
  return !/_(?:id|uuid|key)$/.test(name) || /national|tax/.test(name)
}

const prefix = /^(?:einv|e_inv|einvoice|zatca|fatoora|peppol|cfdi|badge|qr|card|stripe|otp)_/i

/** `einv_*` for `einv_hash`, so that a column that is added later is forbidden too. */
function widen(table: DescribedTable, name: string, used: readonly UsedColumn[]): string {
  const wide = prefix.exec(name)?.[0]
  if (wide === undefined) return name
  const isMapped = used.some(
    (one) => one.table === table.name && one.column.toLowerCase().startsWith(wide.toLowerCase()),
  )
  return isMapped ? name : `${wide}*`
}

function isKey(table: DescribedTable, name: string): boolean {
  return table.primary.some((column) => isSameName(column, name))
}

const secretTables =
  /^(?:password|passwords|secret|secrets|otp|otps|token|tokens|credential|credentials|session|sessions|key|keys|zatca|einvoice|einvoices|einvoicing|fatoora|peppol|clearance|clearances)$/

/** A table whose name ends or begins with such a word. */
function listTable({ name }: DescribedTable): readonly ForbiddenPattern[] {
  const words = splitWords(name)
  const word = [words.at(-1), words[0], words[1]].find((one) => one !== undefined && secretTables.test(one))
  const isEventSession = /session/.test(word ?? '') && words.length > 1
  if (word === undefined || isEventSession) return []
  return [toPattern(name, '*', /zatca|einv|fatoora|peppol|clear/.test(word) ? 'e-invoicing' : 'secrets')]
}

/** A name with a dot cannot be written; a `*` in its place still matches it. */
function toPattern(table: string, column: string, reason: string): ForbiddenPattern {
  return {
    pattern: `${table.replaceAll('.', '*')}.${column === '*' ? '*' : column.replaceAll('.', '*')}`,
    reason,
  }
}

import { isNeverRead } from '../mapping/never-read.js'
import { isSameName } from '../database/description.js'
import type { DescribedColumn, DescribedTable, Description } from '../database/description.js'
import type { ListParents } from './parents.js'
import { listTableWords, toSnake } from './words.js'

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

/** The words of a list, as whole words of a name in snake case. */
function toExpression(names: string): RegExp {
  return new RegExp(`(?:^|_)(?:${names.trim().split(/\s+/).join('|')})(?:_|\\d*$)`)
}

interface Kind {
  readonly reason: string
  readonly names: RegExp
  /** Whether the columns of every table are meant, or only those of mapped ones. */
  readonly everywhere: boolean
  /** Whether a name such as `address_id`, which holds only a key, is meant too. */
  readonly evenKeys: boolean
}

/** What the columns of each kind are called, in several languages. */
const kinds: readonly Kind[] = [
  {
    reason: 'e-invoicing',
    names:
      toExpression(`e_?inv e_?invoice e_?invoicing zatca fatoora cufe peppol irn clearance cleared uuid_hash
      signed_xml submission_id xml ubl cfdi fiscal_code previous_hash invoice_hash fiscal_(?:id|number) verifactu sdi
      xrechnung zugferd facturx timbrado`),
    everywhere: true,
    evenKeys: true,
  },
  {
    reason: 'a secret or token',
    names:
      toExpression(`pass password passwords passwd pwd passphrase passkey passwort kennwort mot_de_passe mdp
      contrasena clave senha wachtwoord haslo parola tokens? secrets? otp totp mfa two_factor 2fa hash hashed hashcode
      digest checksum salt qr qr_?codes? qrcode barcode bar_code badge remember
      (?:api|access|secure|secret|private|public|license|licence|encryption|activation|auth|verification|reset|crypt|login|user|security|session|shared|app|client|cart|order_secure|download)_?keys?
      apikey keycode signature signed private pin pincode iban bic swift bank_account account_number routing_number konto
      kontonummer rib cards? card_number cvv cvc last4 stripe paypal credentials? recovery webhook cookie auth oauth
      (?:access|verification|verify|activation|invite|invitation|security|auth|ticket|check_?in|voucher|coupon|promo|discount|gift|redeem|confirm|confirmation|unlock|backup|entry|door|pin|reset|sms|login|secret|claim|referral|join)_?code
      nonce encrypted cipher gateway payload mandate sepa session_?(?:id|key|data|token) sessid sess_id php_?sess
      authkey confirmationkey (?<=^)key(?=$) cle_[a-z]+ schluessel llave chiave entrycode accesscode magic_?link sso ldap smtp_password ical certificate`),
    everywhere: true,
    evenKeys: true,
  },
  {
    reason: 'a tax number or the number of a document',
    names:
      toExpression(`tax_?(?:number|no|id|code|reg|registration)? vat_?(?:number|no|id|code)? steuernummer steuer_?nr
      ust_?id(?:_?nr)? siret siren nif cif dni nie rfc curp cpf cnpj bsn kvk partita_iva piva codice_fiscale
      btw_?(?:nummer|nr|id) tva_intra tva_number nip pesel ssn sin national national_id passport ausweis id_number
      personnummer kennitala gst_?(?:number|no|in) gstin idprof\\d? social_security`),
    everywhere: true,
    evenKeys: true,
  },
  {
    reason: 'a phone or an address',
    names:
      toExpression(`phones? phone_?number mobile cell cellphone tel telephone telefon telefono telefoon telefone handy
      mobil movil celular gsm mobiel fax whatsapp address\\d? address_?line\\d? addr adresse\\d? anschrift direccion
      indirizzo adres endereco street street\\d? strasse hausnummer rue calle straat huisnummer zip zip_?code postal
      postcode postal_?code plz code_postal codigo_postal cap cep city ort town ville ciudad citta stad woonplaats cidade
      state_province region province ip ip_?addr(?:ess)? ipaddress remote_addr user_agent useragent latitude longitude lat
      lng geo`),
    everywhere: true,
    evenKeys: false,
  },
  {
    reason: 'personal data outside of the contract',
    names:
      toExpression(`e_?mail first_?name last_?name middle_?name contact_name customer_name client_name buyer_name
      business food company company_?name employer job job_?title title position beruf country birth birthday birthdate
      birth_date date_of_birth dob geburtsdatum geburtstag date_naissance naissance nacimiento fecha_nacimiento
      data_nascita geboortedatum nascimento gender sex geschlecht sexe sexo nationality notes? comments? remarks?
      bemerkung notiz notizen commentaire observaciones opmerking diet dietary allergies allergien allergy medical
      emergency photo avatar linkedin twitter facebook instagram language locale`),
    everywhere: false,
    evenKeys: false,
  },
  {
    reason: 'amounts outside of the contract',
    names:
      /^(?:total_|amount_)?(?:sub_?total|net|vat|tax|taxamt|gst|discounts?|paid|balance|balance_due|due|refunded)(?:_(?:total|amount))?$/,
    everywhere: false,
    evenKeys: false,
  },
]

interface FoundColumn {
  readonly table: DescribedTable
  readonly name: string
  readonly reason: string
}

/**
 * Patterns for `neverRead`: every column of every table that looks like a secret, a tax number, a phone, an address or
 * e-invoicing, and further personal data of the mapped tables. No pattern matches a mapped column.
 */
export function listForbidden(
  description: Description,
  used: readonly UsedColumn[],
  listParents: ListParents,
): readonly ForbiddenPattern[] {
  const isAllowed = ({ pattern }: ForbiddenPattern): boolean =>
    !used.some(({ table, column }) => isNeverRead([pattern], table, column))
  const tables = [...description.values()]
  const whole = tables.flatMap(listWholeTable).filter(isAllowed)
  const found = tables
    .filter(({ name }) => !whole.some(({ pattern }) => isNeverRead([pattern], name, 'any')))
    .flatMap((table) => listColumns(table, used, listParents))
  const shared = listShared(found).filter(isAllowed)
  const single = found
    .filter(({ table, name }) => !shared.some(({ pattern }) => isNeverRead([pattern], table.name, name)))
    .map(({ table, name, reason }) => toPattern(table.name, widen(table, name, used), reason))
    .filter(isAllowed)
  return [...new Map([...shared, ...single, ...whole].map((one) => [one.pattern, one])).values()]
}

/** One pattern for a column that several tables have. */
function listShared(found: readonly FoundColumn[]): readonly ForbiddenPattern[] {
  const first = new Map<string, FoundColumn>()
  return found.flatMap((one) => {
    const name = one.name.toLowerCase()
    const known = first.get(name)
    first.set(name, known ?? one)
    return known === undefined ? [] : [toPattern('*', name, known.reason)]
  })
}

function listColumns(
  table: DescribedTable,
  used: readonly UsedColumn[],
  listParents: ListParents,
): readonly FoundColumn[] {
  const own = used.filter((one) => one.table === table.name)
  // Keys of rows, and what the mapping reads.
  const needed = [
    ...(table.primary.length === 1 ? table.primary : []),
    ...own.map(({ column }) => column),
    ...listParents(table).map(({ column }) => column.name),
  ]
  return table.columns
    .filter(({ name }) => !needed.some((one) => isSameName(one, name)))
    .flatMap((column): FoundColumn[] => {
      const kind = findKind(table, column)
      if (kind === undefined || (!kind.everywhere && own.length === 0)) return []
      return [{ table, name: column.name, reason: kind.reason }]
    })
}

function findKind(table: DescribedTable, { name, kind }: DescribedColumn): Kind | undefined {
  const snake = toSnake(name)
  const found = kinds.find((one) => one.names.test(snake))
  if (found === undefined) return undefined
  // The number of a row of another table says nothing of a person.
  const isKey = /_(?:id|uuid|key)$|^(?:id|fk)_/.test(snake)
  const isNumber = kind === 'integer' && !/pin|card|account/.test(snake)
  if (isKey && (!found.evenKeys || isNumber)) return undefined
  // The title of an event is none of a person.
  if (snake === 'title' && !table.columns.some((column) => /mail/i.test(column.name))) return undefined
  return found
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

const secretTables =
  /^(?:password|secret|otp|token|credential|session|key|zatca|einvoice|einvoicing|fatoora|peppol|clearance|oauth|passwort|passwoerter)$/

/** A table whose name ends or begins with such a word. */
function listWholeTable({ name, columns }: DescribedTable): readonly ForbiddenPattern[] {
  const words = listTableWords(name)
  const word = [words.at(-1), words[0], words[1]].find((one) => one !== undefined && secretTables.test(one))
  if (word === undefined || (/session/.test(word) && !isLogin(columns))) return []
  return [toPattern(name, '*', /zatca|einv|fatoora|peppol|clear/.test(word) ? 'e-invoicing' : 'secrets')]
}

/** Whether sessions are those of logins, and not parts of an event. */
function isLogin(columns: DescribedTable['columns']): boolean {
  return columns.some(({ name }) =>
    /ip_?addr|user_?agent|payload|sess|data|expires|token|last_activity/i.test(name),
  )
}

/** A name with a dot cannot be written; a `*` in its place still matches it. */
function toPattern(table: string, column: string, reason: string): ForbiddenPattern {
  const name = table === '*' ? '*' : table.replaceAll('.', '*')
  return { pattern: `${name}.${column.endsWith('*') ? column : column.replaceAll('.', '*')}`, reason }
}

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

/**
 * Patterns for `neverRead`: every column of every table that looks like a secret, a tax number, a phone, an address or
 * e-invoicing, whole tables of these, and further personal data of the mapped tables. No pattern matches a mapped column.
 */
export function listForbidden(
  description: Description,
  used: readonly UsedColumn[],
  listParents: ListParents,
): readonly ForbiddenPattern[] {
  const isAllowed = ({ pattern }: ForbiddenPattern): boolean =>
    !used.some(({ table, column }) => isNeverRead([pattern], table, column))
  const patterns = [...description.values()].flatMap((table) => {
    const whole = findWholeTable(table)
    if (whole !== undefined && isAllowed(whole)) return [whole]
    return listColumns(table, used, listParents).flatMap(({ name, kind: { reason, everywhere } }) => {
      const own = toPattern(table.name, name, reason)
      const shared = toPattern('*', name.toLowerCase(), reason)
      return everywhere && isAllowed(shared) ? [shared] : [own].filter(isAllowed)
    })
  })
  return [...new Map(patterns.map((one) => [one.pattern, one])).values()]
}

function listColumns(
  table: DescribedTable,
  used: readonly UsedColumn[],
  listParents: ListParents,
): readonly { readonly name: string; readonly kind: Kind }[] {
  const own = used.filter((one) => one.table === table.name)
  // Keys of rows, and what the mapping reads.
  const needed = [
    ...(table.primary.length === 1 ? table.primary : []),
    ...own.map(({ column }) => column),
    ...listParents(table).map(({ column }) => column.name),
  ]
  return table.columns
    .filter(({ name }) => !needed.some((one) => isSameName(one, name)))
    .flatMap((column) => {
      const kind = findKind(table, column)
      return kind === undefined || (!kind.everywhere && own.length === 0) ? [] : [{ name: column.name, kind }]
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

const secretTables =
  /^(?:password|secret|otp|token|credential|key|zatca|einvoice|einvoicing|fatoora|peppol|clearance|oauth|passwort|passwoerter)$/

/** A table whose name ends or begins with such a word. */
function findWholeTable({ name }: DescribedTable): ForbiddenPattern | undefined {
  const words = listTableWords(name)
  const isSecret = [words.at(-1), words[0], words[1]].some((word) => secretTables.test(word ?? ''))
  return isSecret ? toPattern(name, '*', 'a table of secrets or of e-invoicing') : undefined
}

/** A name with a dot cannot be written; a `*` in its place still matches it. */
function toPattern(table: string, column: string, reason: string): ForbiddenPattern {
  return { pattern: `${table.replaceAll('.', '*')}.${column.replaceAll('.', '*')}`, reason }
}

import type { RunQuery } from '../../src/database/statement.js'

const inFolder = (name: string): URL => new URL(name, import.meta.url)
const shipped = (name: string): URL => inFolder(`../product/${name}.yaml`)
const own = (name: string): { readonly schema: URL; readonly mapping: URL } => ({
  schema: inFolder(`${name}.sql`),
  mapping: inFolder(`${name}.yaml`),
})

/**
 * The products that proposals are scored over: those that are shipped, and others of shapes that products have. Each
 * has a mapping with the right answers, the places that must be right, and the columns that must not stay open, which
 * the comment `secret` marks in a schema of this folder. The mistakes of unread products were not looked at.
 */
export const products = [
  {
    name: 'plain',
    rightMin: 29,
    mapping: inFolder('../../config/mapping.yaml'),
    secrets: [
      'event_registrations.badge_qr_token', 'event_registrations.attendee_phone', 'event_registrations.attendee_company',
      'event_registrations.attendee_job_title', 'event_registrations.attendee_country', 'event_registrations.attendee_city',
      'invoices.einv_submission_id', 'invoices.einv_signed_xml', 'invoices.einv_hash', 'invoices.einv_cleared_at',
    ],
  },
  {
    name: 'awkward',
    rightMin: 26,
    mapping: shipped('awkward'),
    secrets: ['attendees?.gate_token', 'attendees?.badge_pin', 'bills.cleared_xml', 'bills.cleared_at', 'bills.notes'],
  },
  {
    name: 'ticketing',
    rightMin: 29,
    mapping: shipped('ticketing'),
    secrets: [
      'attendees.private_reference_number', 'orders.business_name', 'orders.business_tax_number', 'orders.invoice_xml',
      'orders.business_address_line_one', 'orders.payment_gateway_payload', 'orders.ip_address', 'orders.notes',
      'accounts.stripe_secret_key', 'accounts.last_ip', 'events.event_access_code',
    ],
  },
  { name: 'accounting', rightMin: 15, ...own('accounting') },
  { name: 'membership', rightMin: 24, ...own('membership') },
  { name: 'invoicing', rightMin: 16, ...own('invoicing') },
  { name: 'relations', rightMin: 27, ...own('relations') },
  { name: 'shop', rightMin: 15, ...own('shop') },
  { name: 'kurse', rightMin: 27, ...own('kurse') },
  { name: 'gestion', rightMin: 28, ...own('gestion') },
  { name: 'reservas', rightMin: 28, ...own('reservas') },
  { name: 'conference', rightMin: 28, ...own('conference') },
  { name: 'campus', rightMin: 27, ...own('campus') },
  { name: 'weblog', rightMin: 27, ...own('weblog') },
  { name: 'ninja', rightMin: 15, ...own('ninja') },
  { name: 'association', rightMin: 27, ...own('association') },
  { name: 'terse', rightMin: 28, ...own('terse') },
  { name: 'community', rightMin: 27, ...own('community') },
  { name: 'scheduling', rightMin: 27, ...own('scheduling') },
  { name: 'boxoffice', rightMin: 29, ...own('boxoffice') },
  { name: 'sales', rightMin: 25, ...own('sales') },
  { name: 'attendance', rightMin: 26, ...own('attendance') },
  { name: 'portal', rightMin: 23, ...own('portal') },
  { name: 'freelance', rightMin: 14, ...own('freelance') },
  { name: 'hosting', rightMin: 13, ...own('hosting') },
  { name: 'seminar', rightMin: 28, ...own('seminar') },
  { name: 'tickets', rightMin: 28, ...own('tickets') },
  { name: 'appointments', rightMin: 25, ...own('appointments') },
  { name: 'doctypes', rightMin: 23, ...own('doctypes') },
  { name: 'reservations', rightMin: 26, ...own('reservations') },
  { name: 'espresso', rightMin: 26, ...own('espresso') },
  { name: 'services', rightMin: 13, ...own('services') },
  { name: 'cart', rightMin: 15, ...own('cart') },
  { name: 'parish', rightMin: 13, ...own('parish') },
  { name: 'meetings', rightMin: 14, ...own('meetings') },
  { name: 'merchant', rightMin: 15, ...own('merchant') },
  { name: 'suite', rightMin: 25, ...own('suite') },
  { name: 'congregation', rightMin: 12, ...own('congregation') },
  { name: 'provider', rightMin: 14, ...own('provider') },
  { name: 'platform', rightMin: 27, ...own('platform') },
  { name: 'rooms', rightMin: 15, ...own('rooms') },
  { name: 'bazaar', rightMin: 15, ...own('bazaar') },
  { name: 'bookshop', rightMin: 15, ...own('bookshop') },
  { name: 'nodes', rightMin: 12, ...own('nodes') },
  { name: 'crm', rightMin: 15, ...own('crm') },
  { name: 'chapters', rightMin: 10, ...own('chapters') },
  { name: 'outreach', rightMin: 8, ...own('outreach') },
  { name: 'studio', rightMin: 26, ...own('studio') },
  { name: 'groups', rightMin: 24, ...own('groups') },
  { name: 'webshop', rightMin: 15, ...own('webshop') },
  { name: 'commons', rightMin: 15, ...own('commons') },
  { name: 'learning', rightMin: 23, ...own('learning') },
  { name: 'storefront', rightMin: 14, ...own('storefront') },
  { name: 'gatherings', rightMin: 26, ...own('gatherings') },
  { name: 'planner', rightMin: 13, ...own('planner') },
  { name: 'metering', rightMin: 14, ...own('metering'), isUnread: true },
  { name: 'conventions', rightMin: 25, ...own('conventions') },
  { name: 'venue', rightMin: 23, ...own('venue') },
  { name: 'trainer', rightMin: 24, ...own('trainer') },
  { name: 'guild', rightMin: 12, ...own('guild'), isUnread: true },
  { name: 'salon', rightMin: 26, ...own('salon') },
  { name: 'boutique', rightMin: 12, ...own('boutique'), isUnread: true },
  { name: 'seminars', rightMin: 13, ...own('seminars') },
  { name: 'farmstead', rightMin: 22, ...own('farmstead') },
] as const // prettier-ignore

/** The columns that the comment `secret` marks, as `table.column`. */
export async function listSecrets(runQuery: RunQuery): Promise<readonly string[]> {
  const sql =
    "select concat(table_name, '.', column_name) as secret from information_schema.columns where table_schema = database() and column_comment = 'secret'"
  const rows = await runQuery({ sql, values: [], withoutIndexHint: undefined })
  return rows.map(({ secret }) => String(secret))
}

import { describe, expect, test } from 'vitest'
import type { Mapping } from '../product/mapping.js'
import { createClient } from '../support/client.js'
import { mapKeys } from '../support/key-table.js'
import { startService, useThrowaway } from '../support/service.js'

/*
 * Two products whose tables have the shape of public schemas, rebuilt for this test: the tickets and invoices of pretix, and
 * the attendees of Event Tickets with the orders of WooCommerce in WordPress. Each is served as it is, and compared with SQL
 * that was written from the tables alone.
 */

const throwaway = useThrowaway()

/** A product, and what its records are in the order of lists. */
interface PublicSchema {
  readonly schema: string
  readonly rows: readonly string[]
  readonly workspace: string
  readonly mapping: Omit<Mapping, 'apiKeys' | 'timezone'>
  /** For each collection, SQL that selects every field by its public name. */
  readonly expected: Readonly<Record<'registrations' | 'invoices', string>>
}

const keys =
  'CREATE TABLE api_keys (key_hash CHAR(64) CHARACTER SET ascii PRIMARY KEY, workspace INT NOT NULL);'
/** Twenty numbers, 0 to 19, and 400 of them. */
const n20 = `(SELECT a.d + 4 * b.d AS n FROM (SELECT 0 d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) a
  JOIN (SELECT 0 d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4) b)`
const n400 = `(SELECT x.n + 20 * y.n AS n FROM ${n20} x JOIN ${n20} y)`
const toText = (time: string): string => `CONCAT(LEFT(DATE_FORMAT(${time}, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z')`

const pretix: PublicSchema = {
  workspace: '1',
  schema: `${keys}
CREATE TABLE pretixbase_event (id INT PRIMARY KEY, organizer_id INT NOT NULL, currency VARCHAR(10) NOT NULL);
CREATE TABLE pretixbase_order (
  id INT PRIMARY KEY, organizer_id INT NOT NULL, event_id INT NOT NULL, code VARCHAR(16) NOT NULL, status CHAR(3) NOT NULL, email VARCHAR(254) NULL,
  datetime DATETIME(6) NOT NULL, last_modified DATETIME(6) NOT NULL, secret VARCHAR(32) NOT NULL,
  KEY modified (organizer_id, last_modified));
CREATE TABLE pretixbase_orderposition (
  id INT PRIMARY KEY, order_id INT NOT NULL, attendee_name_cached VARCHAR(255) NULL, attendee_email VARCHAR(254) NULL,
  canceled TINYINT NOT NULL, secret VARCHAR(255) NOT NULL, KEY of_order (order_id));
CREATE TABLE pretixbase_checkin (
  id INT PRIMARY KEY, position_id INT NOT NULL, datetime DATETIME(6) NOT NULL, type VARCHAR(100) NOT NULL, successful TINYINT NOT NULL,
  KEY of_position (position_id));
CREATE TABLE pretixbase_invoice (
  id INT PRIMARY KEY, order_id INT NOT NULL, event_id INT NOT NULL, full_invoice_no VARCHAR(190) NOT NULL, date DATE NOT NULL,
  is_cancellation TINYINT NOT NULL, refers_id INT NULL, KEY of_order (order_id), KEY refers (refers_id));
CREATE TABLE pretixbase_invoiceline (
  id INT PRIMARY KEY, invoice_id INT NOT NULL, gross_value DECIMAL(13, 2) NOT NULL, description TEXT NOT NULL, KEY of_invoice (invoice_id));
`,
  rows: [
    "INSERT INTO pretixbase_event VALUES (1, 1, 'EUR'), (2, 1, 'JPY'), (3, 2, 'SAR')",
    `INSERT INTO pretixbase_order SELECT n, IF(n % 3 = 2, 2, 1), 1 + n % 3, CONCAT('C', n), ELT(1 + n % 4, 'p', 'n', 'e', 'c'), IF(n % 5 = 0, NULL, CONCAT('order', n, '@example.com')),
       '2026-01-01' + INTERVAL n HOUR, '2026-02-01 00:00:00.123456' + INTERVAL n DIV 7 MINUTE, 'x' FROM ${n400} n WHERE n < 120`,
    `INSERT INTO pretixbase_orderposition SELECT n, (n * 37) % 121, IF(n % 4 = 0, NULL, CONCAT('Guest ', n)), IF(n % 3 = 0, '', CONCAT('guest', n, '@example.com')),
       n % 6 = 0, 'x' FROM ${n400} n WHERE n < 300`,
    `INSERT INTO pretixbase_checkin SELECT n, n % 200, '2026-03-01' + INTERVAL n MINUTE, IF(n % 5 = 0, 'exit', 'entry'), n % 7 > 0 FROM ${n400} n`,
    `INSERT INTO pretixbase_invoice SELECT n, n % 120, 1 + n % 3, CONCAT('INV-', n), DATE('2026-01-05') + INTERVAL n DAY, n >= 130, IF(n >= 130, n - 130, NULL) FROM ${n400} n WHERE n < 150`,
    `INSERT INTO pretixbase_invoiceline SELECT n, n % 140, IF(n % 140 >= 130, -1, 1) * (n + 0.25), 'x' FROM ${n400} n`,
  ],
  mapping: {
    registrations: {
      table: 'pretixbase_orderposition',
      workspace: { from: 'pretixbase_order', on: 'order_id', column: 'organizer_id' },
      archived: [],
      fields: {
        id: 'id',
        eventId: { from: 'pretixbase_order', on: 'order_id', column: 'event_id' },
        status: {
          when: [
            { column: 'canceled', equals: 1, then: 'CANCELLED' },
            { from: 'pretixbase_order', on: 'order_id', column: 'status', equals: 'p', then: 'CONFIRMED' },
            { from: 'pretixbase_order', on: 'order_id', column: 'status', in: ['e', 'c'], then: 'CANCELLED' },
          ],
          otherwise: 'PENDING',
        },
        name: {
          first: ['attendee_name_cached', { from: 'pretixbase_order', on: 'order_id', column: 'code' }],
        },
        email: {
          first: [
            'attendee_email',
            { from: 'pretixbase_order', on: 'order_id', column: 'email' },
            { constant: '-' },
          ],
        },
        checkedIn: { from: 'checkedInAt' },
        checkedInAt: {
          ...{ from: 'pretixbase_checkin', on: 'id', key: 'position_id', column: 'datetime' },
          where: [
            { column: 'type', equals: 'entry' },
            { column: 'successful', equals: true },
          ],
        },
        createdAt: { from: 'pretixbase_order', on: 'order_id', column: 'datetime' },
        updatedAt: { from: 'pretixbase_order', on: 'order_id', column: 'last_modified' },
      },
    },
    invoices: {
      table: 'pretixbase_invoice',
      workspace: { from: 'pretixbase_order', on: 'order_id', column: 'organizer_id' },
      archived: [],
      eventId: 'event_id',
      fields: {
        id: 'id',
        number: 'full_invoice_no',
        status: {
          when: [
            { column: 'is_cancellation', equals: true, then: 'CREDIT_NOTE' },
            {
              from: 'pretixbase_invoice',
              on: 'id',
              key: 'refers_id',
              where: [{ column: 'is_cancellation', equals: 1 }],
              is: 'set',
              then: 'CANCELLED',
            },
          ],
          otherwise: 'ISSUED',
        },
        total: { from: 'pretixbase_invoiceline', key: 'invoice_id', sum: ['gross_value'] },
        currency: { from: 'pretixbase_event', on: 'event_id', column: 'currency' },
        issueDate: 'date',
        dueDate: null,
        createdAt: 'date',
        updatedAt: { from: 'pretixbase_order', on: 'order_id', column: 'last_modified' },
      },
    },
    neverRead: ['*.secret', 'pretixbase_invoiceline.description'],
  },
  expected: {
    registrations: `SELECT p.id, o.event_id AS eventId,
        IF(p.canceled, 'CANCELLED', CASE o.status WHEN 'p' THEN 'CONFIRMED' WHEN 'n' THEN 'PENDING' ELSE 'CANCELLED' END) AS status,
        COALESCE(p.attendee_name_cached, o.code) AS name, COALESCE(NULLIF(p.attendee_email, ''), o.email, '-') AS email,
        c.id IS NOT NULL AS checkedIn, ${toText('c.datetime')} AS checkedInAt, ${toText('o.datetime')} AS createdAt, ${toText('o.last_modified')} AS updatedAt
      FROM pretixbase_orderposition p JOIN pretixbase_order o ON o.id = p.order_id
      LEFT JOIN pretixbase_checkin c ON c.id = (SELECT MIN(f.id) FROM pretixbase_checkin f WHERE f.position_id = p.id AND f.type = 'entry' AND f.successful)
      WHERE o.organizer_id = 1 ORDER BY o.last_modified, p.id`,
    invoices: `SELECT i.id, i.full_invoice_no AS number,
        IF(i.is_cancellation, 'CREDIT_NOTE', IF(EXISTS (SELECT 1 FROM pretixbase_invoice r WHERE r.refers_id = i.id), 'CANCELLED', 'ISSUED')) AS status,
        IF(e.currency = 'JPY', TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM SUM(l.gross_value))), SUM(l.gross_value)) AS total,
        e.currency, DATE_FORMAT(i.date, '%Y-%m-%d') AS issueDate, NULL AS dueDate, ${toText('i.date')} AS createdAt, ${toText('o.last_modified')} AS updatedAt
      FROM pretixbase_invoice i JOIN pretixbase_order o ON o.id = i.order_id JOIN pretixbase_event e ON e.id = i.event_id
      JOIN pretixbase_invoiceline l ON l.invoice_id = i.id
      WHERE o.organizer_id = 1 GROUP BY i.id, o.last_modified, e.currency ORDER BY o.last_modified, i.id`,
  },
}

const meta = (key: string) => ({
  ...{ from: 'wp_postmeta', on: 'ID', key: 'post_id', column: 'meta_value' },
  where: [{ column: 'meta_key', equals: key }],
})
const joinMeta = (as: string, key: string): string =>
  `LEFT JOIN wp_postmeta ${as} ON ${as}.post_id = p.ID AND ${as}.meta_key = '${key}'`

const wordpress: PublicSchema = {
  workspace: '1',
  schema: `${keys}
CREATE TABLE wp_posts (
  ID BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, post_date_gmt DATETIME NOT NULL, post_title TEXT NOT NULL, post_status VARCHAR(20) NOT NULL,
  post_modified_gmt DATETIME NOT NULL, post_parent BIGINT UNSIGNED NOT NULL, post_type VARCHAR(20) NOT NULL, post_password VARCHAR(255) NOT NULL,
  KEY type_modified (post_type, post_modified_gmt, ID));
CREATE TABLE wp_postmeta (
  meta_id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, post_id BIGINT UNSIGNED NOT NULL, meta_key VARCHAR(255) NULL, meta_value LONGTEXT NULL,
  KEY post_id (post_id), KEY meta_key (meta_key(191)));
CREATE TABLE wp_wc_orders (
  id BIGINT UNSIGNED PRIMARY KEY, status VARCHAR(20) NULL, currency VARCHAR(10) NULL, type VARCHAR(20) NULL, tax_amount DECIMAL(26, 8) NULL,
  total_amount DECIMAL(26, 8) NULL, parent_order_id BIGINT UNSIGNED NULL, date_created_gmt DATETIME NULL, date_updated_gmt DATETIME NULL,
  KEY parent (parent_order_id), KEY type_updated (type, date_updated_gmt, id));
CREATE TABLE wp_wc_orders_meta (
  id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, order_id BIGINT UNSIGNED NULL, meta_key VARCHAR(255) NULL, meta_value TEXT NULL, KEY of_order (order_id));
`,
  rows: [
    `INSERT INTO wp_posts SELECT n + 1, '2026-01-01' + INTERVAL n HOUR, CONCAT('Title ', n), IF(n % 9 = 0, 'trash', 'publish'),
       '2026-02-01' + INTERVAL n DIV 5 MINUTE, 0, IF(n % 4 = 3, 'page', 'tribe_wooticket'), 'x' FROM ${n400} n`,
    `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT n + 1, '_tribe_wooticket_event', 1000 + n % 5 FROM ${n400} n`,
    `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT n + 1, '_tribe_wooticket_checkedin', IF(n % 6 = 0, '1', '0') FROM ${n400} n WHERE n % 3 = 0`,
    `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT n + 1, '_tribe_tickets_full_name', IF(n % 10 = 0, '', CONCAT('Guest ', n)) FROM ${n400} n WHERE n % 2 = 0`,
    `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT n + 1, IF(n % 2 = 0, '_tribe_tickets_email', '_billing_email'), CONCAT('mail', n, '@example.com') FROM ${n400} n`,
    `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT n + 1, '_security_code', 'x' FROM ${n400} n`,
    `INSERT INTO wp_wc_orders SELECT n + 1, ELT(1 + n % 4, 'wc-completed', 'wc-pending', 'wc-processing', 'wc-refunded'), IF(n % 3 = 0, NULL, 'EUR'), IF(n < 300, 'shop_order', 'shop_order_refund'),
       n / 8, n * 1.5, IF(n < 300, 0, n - 299), '2026-01-01' + INTERVAL n HOUR, '2026-02-01' + INTERVAL n DIV 6 MINUTE FROM ${n400} n`,
    `INSERT INTO wp_wc_orders_meta (order_id, meta_key, meta_value) SELECT n + 1, '_invoice_number', CONCAT('W-', n) FROM ${n400} n WHERE n % 2 = 0`,
  ],
  mapping: {
    registrations: {
      table: 'wp_posts',
      where: [{ column: 'post_type', equals: 'tribe_wooticket' }],
      workspace: { constant: '1' },
      archived: { column: 'post_status', equals: 'trash' },
      fields: {
        id: 'ID',
        eventId: meta('_tribe_wooticket_event'),
        status: {
          when: [{ ...meta('_tribe_tickets_full_name'), is: 'set', then: 'NAMED' }],
          otherwise: 'OPEN',
        },
        name: { first: [meta('_tribe_tickets_full_name'), 'post_title'] },
        email: { first: [meta('_tribe_tickets_email'), meta('_billing_email')] },
        checkedIn: { ...meta('_tribe_wooticket_checkedin'), equals: '1' },
        createdAt: 'post_date_gmt',
        updatedAt: 'post_modified_gmt',
      },
    },
    invoices: {
      table: 'wp_wc_orders',
      where: [{ column: 'type', equals: 'shop_order' }],
      workspace: { constant: '1' },
      archived: [],
      eventId: null,
      fields: {
        id: 'id',
        number: {
          first: [
            {
              from: 'wp_wc_orders_meta',
              on: 'id',
              key: 'order_id',
              column: 'meta_value',
              where: [{ column: 'meta_key', equals: '_invoice_number' }],
            },
            'id',
          ],
        },
        status: {
          when: [
            { column: 'status', equals: 'wc-pending', then: 'DRAFT' },
            {
              from: 'wp_wc_orders',
              on: 'id',
              key: 'parent_order_id',
              where: [{ column: 'type', equals: 'shop_order_refund' }],
              is: 'set',
              then: 'REFUNDED',
            },
          ],
          otherwise: 'PAID',
        },
        total: { sum: ['total_amount', 'tax_amount'] },
        currency: { first: ['currency', { constant: 'SAR' }] },
        issueDate: 'date_created_gmt',
        dueDate: null,
        createdAt: 'date_created_gmt',
        updatedAt: 'date_updated_gmt',
      },
    },
    neverRead: ['wp_posts.post_password'],
  },
  expected: {
    registrations: `SELECT p.ID AS id, ev.meta_value AS eventId, IF(fn.meta_id IS NULL, 'OPEN', 'NAMED') AS status,
        COALESCE(NULLIF(fn.meta_value, ''), p.post_title) AS name, COALESCE(em.meta_value, bm.meta_value) AS email,
        COALESCE(ci.meta_value, '0') = '1' AS checkedIn, NULL AS checkedInAt, ${toText('p.post_date_gmt')} AS createdAt, ${toText('p.post_modified_gmt')} AS updatedAt
      FROM wp_posts p ${joinMeta('ev', '_tribe_wooticket_event')} ${joinMeta('fn', '_tribe_tickets_full_name')} ${joinMeta('em', '_tribe_tickets_email')}
      ${joinMeta('bm', '_billing_email')} ${joinMeta('ci', '_tribe_wooticket_checkedin')}
      WHERE p.post_type = 'tribe_wooticket' AND p.post_status <> 'trash' ORDER BY p.post_modified_gmt, p.ID`,
    invoices: `SELECT o.id, COALESCE(m.meta_value, o.id) AS number,
        IF(o.status = 'wc-pending', 'DRAFT', IF(EXISTS (SELECT 1 FROM wp_wc_orders r WHERE r.parent_order_id = o.id AND r.type = 'shop_order_refund'), 'REFUNDED', 'PAID')) AS status,
        CAST(o.total_amount + o.tax_amount AS DECIMAL(20, 3)) AS total, COALESCE(o.currency, 'SAR') AS currency,
        ${toText('o.date_created_gmt')} AS issueDate, NULL AS dueDate, ${toText('o.date_created_gmt')} AS createdAt, ${toText('o.date_updated_gmt')} AS updatedAt
      FROM wp_wc_orders o LEFT JOIN wp_wc_orders_meta m ON m.order_id = o.id AND m.meta_key = '_invoice_number'
      WHERE o.type = 'shop_order' ORDER BY o.date_updated_gmt, o.id`,
  },
}

/** A row of the hand-written SQL in the form of JSON. */
function toRecord(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(row).map(([name, value]) => {
    if (name === 'checkedIn') return [name, Number(value) === 1]
    // At least the minor digits of the currency, and more only where they are stored.
    if (name === 'total') return [name, (value as string).replace(/(\.\d\d\d*?)0+$/, '$1')]
    return [name, value === null ? null : `${value as string | number}`]
  })
  return Object.fromEntries(entries) as Readonly<Record<string, unknown>>
}

describe.each(Object.entries({ pretix, wordpress }))(
  '%s',
  (_, { schema, rows, workspace, mapping, expected }) => {
    test('is served as SQL of its own reads it, record by record', async () => {
      const product = await throwaway.createProduct({
        schema: { text: schema },
        rows: { text: rows.map((row) => `${row};\n`).join('') },
        mapping: {
          ...mapping,
          timezone: '+00:00',
          apiKeys: mapKeys('workspace', 'registration.read', 'invoices.read'),
        },
      })
      const service = await startService(product)
      const client = createClient(
        service,
        await product.mintKey({ workspace, scopes: ['registration.read', 'invoices.read'] }),
      )
      for (const collection of ['registrations', 'invoices'] as const) {
        const wanted = (await product.query(expected[collection])).map(toRecord)
        expect(wanted.length).toBeGreaterThan(80)
        const found = await client.crawl(collection, { limit: 17 })
        expect(found).toEqual(wanted)
        for (const record of found.filter((__, at) => at % 20 === 0))
          expect(JSON.parse((await client.get(`${collection}/${String(record['id'])}`)).text)).toEqual(record)
        const since = String(found[Math.floor(found.length / 2)]?.['updatedAt'])
        expect(await client.crawl(collection, { updatedSince: since })).toEqual(
          found.filter(({ updatedAt }) => String(updatedAt) >= since),
        )
        for (const status of new Set(found.map((one) => String(one['status']))))
          expect(await client.crawl(collection, { status, limit: 100 })).toEqual(
            found.filter((one) => one['status'] === status),
          )
      }
    })
  },
)

/*
 * Products in a few lines: what they store, and the mapping that is right for them. `n` is 1 to 80 in each INSERT.
 */

/** A product, and its right mapping. */
export interface Shape {
  readonly statements: readonly string[]
  readonly mapping: string
}

const numbers = 'WITH RECURSIVE seq AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM seq WHERE n < 80)'
const fill = (table: string, columns: string, values: string): string =>
  `INSERT INTO ${table} (${columns}) ${numbers} SELECT ${values} FROM seq`
const keys = `CREATE TABLE api_keys (key_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY, account_id INT NOT NULL, revoked_at DATETIME NULL)`
const keyMapping = `apiKeys:
  table: api_keys
  hash: { column: key_hash, algorithm: sha256, encoding: hex }
  workspace: account_id
  scopes: { grant: [registration.read, invoices.read] }
  revokedAt: revoked_at`

/** Tenants, events, tickets of persons; integers, a zone beside TIMESTAMP, soft deletion, codes, a key-value table. */
export const tickets: Shape = {
  statements: [
    keys,
    'CREATE TABLE accounts (id INT PRIMARY KEY, name VARCHAR(80) NOT NULL)',
    "INSERT INTO accounts VALUES (1, 'One'), (2, 'Two')",
    'CREATE TABLE events (id INT PRIMARY KEY, account_id INT NOT NULL REFERENCES accounts (id), title VARCHAR(80) NOT NULL)',
    "INSERT INTO events VALUES (1, 1, 'Fair'), (2, 1, 'Gala'), (3, 2, 'Expo'), (4, 2, 'Show')",
    'CREATE TABLE venues (id INT PRIMARY KEY, account_id INT NOT NULL)',
    'CREATE TABLE people (id INT PRIMARY KEY, full_name VARCHAR(80) NOT NULL, mail VARCHAR(80) NOT NULL, password_hash VARCHAR(80) NOT NULL)',
    fill(
      'people',
      'id, full_name, mail, password_hash',
      "n, CONCAT('Ana Maria ', CHAR(65 + n % 26), n), CONCAT('p', n, '@example.com'), LEFT(SHA2(n, 256), 32)",
    ),
    'CREATE TABLE staff (id INT PRIMARY KEY, full_name VARCHAR(80) NOT NULL, mail VARCHAR(80) NOT NULL)',
    fill(
      'staff',
      'id, full_name, mail',
      "n, CONCAT('Staff ', CHAR(65 + n % 26), n), CONCAT('s', n, '@example.com')",
    ),
    `CREATE TABLE tickets (id INT PRIMARY KEY, account_id INT NOT NULL, buyer_account INT NOT NULL, event_id INT NOT NULL, order_no INT NOT NULL, venue_id INT NOT NULL DEFAULT 1, person_id INT NOT NULL, staff_id INT NOT NULL,
       state TINYINT NOT NULL, kind VARCHAR(10) NOT NULL DEFAULT 'paid', title VARCHAR(80) NOT NULL DEFAULT 'Ticket', secret CHAR(32) NOT NULL, barcode CHAR(32) NOT NULL, line VARCHAR(20) NOT NULL, phone VARCHAR(20) NOT NULL, contact VARCHAR(80) NOT NULL,
       city VARCHAR(80) CHARACTER SET latin1 NOT NULL, used TINYINT NOT NULL, printed TINYINT NOT NULL DEFAULT 1, scanned_at DATETIME NULL, created_at DATETIME NOT NULL, created_utc TIMESTAMP NOT NULL, updated_at DATETIME NOT NULL,
       first_changed DATETIME NULL, made_ms BIGINT NOT NULL, deleted_at DATETIME NULL, hidden_at DATETIME NULL, FOREIGN KEY (person_id) REFERENCES people (id), KEY ix (account_id, updated_at, id), KEY ev (account_id, event_id, updated_at, id), KEY st (account_id, state, updated_at, id))`,
    "SET time_zone = '+00:00'",
    "SET sql_mode = ''",
    fill(
      'tickets',
      'id, account_id, buyer_account, event_id, order_no, person_id, staff_id, state, secret, barcode, line, phone, contact, city, used, scanned_at, created_at, created_utc, updated_at, first_changed, made_ms, deleted_at, hidden_at',
      `n, 1 + (n % 4 > 1), 100 + n % 7, 1 + n % 4, n + 500, n, 81 - n, 1 + n % 3, LEFT(SHA2(n, 256), 32), LEFT(SHA2(n + 1, 256), 32), CONCAT('+49 30 ', 1000 + n), CONCAT('+49 30 ', 1000 + n), 'office@example.com', CONVERT(CAST(CONVERT(CONCAT('Zoë Müller ', n) USING utf8mb4) AS BINARY) USING latin1), n % 2,
       IF(n % 2, NOW() - INTERVAL 3 DAY, NULL), NOW() + INTERVAL 2 HOUR - INTERVAL n + 400 HOUR, NOW() - INTERVAL n + 400 HOUR, NOW() + INTERVAL 2 HOUR - INTERVAL n * 440 MINUTE, IF(n % 3, NULL, NOW() + INTERVAL 2 HOUR - INTERVAL n * 440 MINUTE), 1000 * UNIX_TIMESTAMP() - n * 1000, IF(n % 8, NULL, NOW()), IF(n % 9, NULL, '0000-00-00')`,
    ),
    'CREATE TABLE ticket_meta (id INT AUTO_INCREMENT PRIMARY KEY, ticket_id INT NOT NULL, meta_key INT NOT NULL, meta_value VARCHAR(80) NOT NULL, KEY (ticket_id, meta_key))',
    fill('ticket_meta', 'ticket_id, meta_key, meta_value', "n, 1, CONCAT('p', n, '@example.com')"),
    fill('ticket_meta', 'ticket_id, meta_key, meta_value', "n, 2, CONCAT('1990-01-', 10 + n % 18)"),
  ],
  mapping: `timezone: '+02:00'
${keyMapping}
registrations:
  table: tickets
  workspace: account_id
  archived: { column: deleted_at, is: set }
  fields:
    id: id
    eventId: event_id
    status: { column: state, values: { 1: OPEN, 2: PAID, 3: VOID } }
    name: { from: people, on: person_id, column: full_name }
    email: { from: people, on: person_id, column: mail }
    checkedIn: used
    checkedInAt: scanned_at
    createdAt: created_at
    updatedAt: updated_at
neverRead: ['people.password_*', tickets.secret, tickets.phone]
`,
}

/** One owner; bills in cents of two currencies, UUIDs as bytes, settings, a time of change that is NULL at first. */
export const bills: Shape = {
  statements: [
    keys,
    'CREATE TABLE settings (name VARCHAR(40) PRIMARY KEY, value VARCHAR(80) NOT NULL)',
    "INSERT INTO settings VALUES ('default_currency', 'EUR'), ('theme', 'dark')",
    'CREATE TABLE clients (id INT PRIMARY KEY, company VARCHAR(80) NOT NULL)',
    "INSERT INTO clients VALUES (1, 'North'), (2, 'South'), (3, 'East')",
    ...['quotes', 'projects', 'notes'].map(
      (name) => `CREATE TABLE ${name} (id INT PRIMARY KEY, client_id INT NOT NULL)`,
    ),
    `CREATE TABLE bills (uid BINARY(16) PRIMARY KEY, client_id INT NOT NULL, number VARCHAR(20) NOT NULL, client_ref VARCHAR(20) NOT NULL, phase VARCHAR(10) NOT NULL, flavour VARCHAR(10) NOT NULL DEFAULT 'std', amount BIGINT NOT NULL,
       due_amount DECIMAL(12,2) NOT NULL, tax DECIMAL(12,2) NOT NULL DEFAULT 7, doc_type VARCHAR(20) NOT NULL, approved TINYINT NOT NULL, paid_on DATE NULL, yen INT NOT NULL, cur CHAR(3) NOT NULL, issued DATE NOT NULL, due DATE NOT NULL, made DATETIME NOT NULL, touched DATETIME NOT NULL, never DATETIME NULL, is_test TINYINT NOT NULL, KEY ix (touched, uid))`,
    fill(
      'bills',
      'uid, client_id, number, client_ref, phase, amount, due_amount, doc_type, approved, yen, cur, issued, due, made, touched, is_test',
      `UNHEX(CONCAT(LPAD(HEX(n * 7919), 8, '0'), 'ABCD', '4', LPAD(HEX(n), 3, '0'), '8', LPAD(HEX(n), 3, '0'), LPAD(HEX(n * 104729), 12, '0'))), 1 + n % 3, CONCAT('B-', 1000 + n), CONCAT('C', n % 3), ELT(1 + n % 3, 'OPEN', 'PAID', 'VOID'), 100 * n + n % 90,
       IF(n % 3, 0, n), IF(n % 20 = 1, 'quote', 'invoice'), n % 20 <> 2, 100 * n, IF(n % 4, 'EUR', 'USD'), CURDATE() - INTERVAL n DAY, CURDATE() - INTERVAL n - 14 DAY, NOW() - INTERVAL n DAY, NOW() - INTERVAL n DAY, n % 20 = 0`,
    ),
  ],
  mapping: `timezone: '+00:00'
${keyMapping}
invoices:
  table: bills
  where: [{ column: is_test, equals: 0 }, { column: doc_type, equals: invoice }, { column: approved, equals: 1 }]
  workspace: { constant: '1', confirmed: true }
  archived: []
  eventId: null
  fields:
    id: { column: uid, as: uuid }
    number: number
    status: phase
    total: { column: amount, scale: 2 }
    currency: cur
    issueDate: issued
    dueDate: due
    createdAt: made
    updatedAt: touched
neverRead: []
`,
}

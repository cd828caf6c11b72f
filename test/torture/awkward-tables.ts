import { toDecimal } from '../product/product.js'
import type { View } from '../product/product.js'
import { minorDigits } from '../product/truth.js'
import { toText } from './plain-tables.js'
import { publicTimeSql } from './table.js'
import type { ProductTables, StoredRow } from './table.js'

const archiving = {
  archive: (random: { pick: <Item>(items: readonly Item[]) => Item }) =>
    random.pick([{ is_deleted: 1 }, { hidden_at: '2026-02-03 04:05:06' }]),
  restore: { is_deleted: 0, hidden_at: null },
}
const times = { timeColumn: 'touched', timeDigits: 6 }
const visible = '(is_deleted IS NULL OR is_deleted <> 1) AND hidden_at IS NULL AND touched IS NOT NULL'

/** The awkward product's tables. */
export const awkwardTables: ProductTables = {
  registrations: {
    collection: 'registrations',
    tables: ['attendees?'],
    idColumn: 'attendee no',
    // As text it would be compared as a DOUBLE, and be taken for its neighbours.
    toStoredId: (id) => BigInt(id),
    ...times,
    offsetMinutes: 180,
    ...archiving,
    change: (mark, random) => ({
      last_name: `Guest ${mark} القحطاني`,
      state: random.pick([1, 2, 3, 4, 7]),
      entered: random.pick([0, 1]),
      entered_at: random.pick([null, '2026-02-03 04:05:06.123456']),
    }),
    visibleSql: (workspaceId) => `
      SELECT CAST(\`attendee no\` AS CHAR) AS id, LOWER(HEX(gathering)) AS eventId,
             ELT(\`state\`, 'CONFIRMED', 'PENDING', 'CANCELLED', 'WAITLISTED', NULL, NULL, 'CONFIRMED') AS status,
             CONCAT_WS(' ', CONVERT(\`first\`\`name\` USING utf8mb4), last_name) AS name, mail AS email,
             entered + 0 AS checkedIn,
             IF(entered = 1, ${publicTimeSql('entered_at - INTERVAL 3 HOUR')}, NULL) AS checkedInAt,
             ${publicTimeSql('made - INTERVAL 3 HOUR')} AS createdAt,
             ${publicTimeSql('touched - INTERVAL 3 HOUR')} AS updatedAt
        FROM \`attendees?\`
       WHERE tenant = ${workspaceId} AND ${visible}
         AND \`state\` IN (1, 2, 3, 4, 7) AND mail IS NOT NULL AND touched > '1970-01-02'`,
    toView: (row) => ({
      ...toText(row),
      eventId: unswap(String(row['eventId'])),
      checkedIn: Number(row['checkedIn']) === 1,
    }),
  },
  invoices: {
    collection: 'invoices',
    tables: ['bills', 'bill_gatherings'],
    idColumn: 'uid',
    toStoredId: (id) => Buffer.from(id.replaceAll('-', ''), 'hex'),
    ...times,
    offsetMinutes: 0,
    ...archiving,
    change: (mark, random) => ({
      amount_minor: mark,
      phase: random.pick(['Entwurf', 'GESTELLT', 'Bezahlt', 'bezahlt', 'Zurück', 'Zuruck']),
    }),
    visibleSql: (workspaceId) => `
      SELECT LOWER(HEX(uid)) AS id, CAST(bill_no AS CHAR) AS number, phase AS status,
             CAST(amount_minor AS CHAR) AS total, UPPER(cur) AS currency,
             ${publicTimeSql('issued - INTERVAL 3 HOUR')} AS issueDate, ${publicTimeSql('due')} AS dueDate,
             ${publicTimeSql('made')} AS createdAt, ${publicTimeSql('touched')} AS updatedAt
        FROM bills WHERE tenant = ${workspaceId} AND ${visible} AND cur <> 'zzz' AND made IS NOT NULL`,
    toView: toInvoiceView,
  },
}

function toInvoiceView(row: StoredRow): View {
  const text = toText(row)
  return {
    ...text,
    id: toGroups(String(text['id'])),
    total: toDecimal(BigInt(String(text['total'])), text['currency'] as keyof typeof minorDigits),
  }
}

function toGroups(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The inverse of what UUID_TO_BIN(uuid, 1) does: the third and second group stand before the first. */
function unswap(hex: string): string {
  return toGroups(hex.slice(8, 16) + hex.slice(4, 8) + hex.slice(0, 4) + hex.slice(16))
}

import { beforeAll, describe, expect, test } from 'vitest'
import { readFacts } from '../../src/tools/facts/read-facts.js'
import { renderFacts, toReport } from '../../src/tools/facts/render-facts.js'
import { createOwnDatabase, withDatabase } from '../support/own-database.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

/** Fifty values of persons, of all kinds; each is searched for in what facts prints. */
const texts = [
  'Anna Keller', 'Keller', 'anna.keller@example.com', '+49 170 5558431', '01705558431', 'Lindenweg 17b', '80469', 'Muenchen', 'Bavaria',
  'Dr. Anna Keller', 'DE89370400440532013000', 'COBADEFFXXX', '4111111111111111', 'C01X00T47', '65 170839 J 003', 'AKL', 'akeller84',
  'correct horse battery', '$2y$10$N9qo8uLOickgx2ZMRZoMye', 'evk_3f9aK2secretsecret', '192.168.77.31', '2001:db8:77::31', 'vegetarian, nuts',
  'diabetes type 1', 'B negative', 'catholic', 'widowed', 'female', 'Mozilla/5.0 (Anna)', 'https://anna-keller.example', '@annakeller84',
  'Keller GmbH', 'Chief Accountant', 'arrives late with her son Tim', 'Tim Keller', 'M-AK 1984', 'QR-7731-XZ-PQ', '48.137154', 'Geneva-born',
  'INV-KELLER-7', 'sign: A. Keller',
] as const // prettier-ignore
const numbers = [49170555843, 84213, 7314, 37, 1984031277] as const
const days = ['1984-03-12', '2011-07-23', '1999-12-24', '2003-02-18'] as const

/** A table with a column of each type, whose name says nothing, and the same under names that say what it is. */
const columns = {
  c: 'CHAR(60)', v: 'VARCHAR(190)', t: 'TEXT', l: 'LONGTEXT', j: 'JSON', b: 'VARBINARY(190)', bl: 'BLOB', i: 'BIGINT', s: 'INT', d: 'DECIMAL(20,4)',
  f: 'DOUBLE', da: 'DATE', dt: 'DATETIME', ts: 'TIMESTAMP NULL',
  status: 'VARCHAR(190)', state: 'VARCHAR(190)', kind: 'VARCHAR(190)', type: 'TEXT', currency: 'VARCHAR(190)', time_zone: 'VARCHAR(190)', reference: 'VARCHAR(190)',
  total: 'DECIMAL(20,4)', fee: 'INT', braces: 'VARCHAR(190)', contact_type: 'BIGINT', category: 'VARCHAR(190)', birth_date: 'DATE', wedding_at: 'DATETIME', salary: 'DECIMAL(20,2)', phone_number: 'BIGINT',
} as const // prettier-ignore
type Name = keyof typeof columns

let url: string
let printed: string
beforeAll(async () => {
  const names = Object.keys(columns) as Name[]
  const cell = (name: Name, row: number): string => {
    const text = texts[row % texts.length] ?? ''
    const type = columns[name]
    if (name === 'braces') return `'{${text}'`
    // More levels than MySQL reads in JSON.
    if (name === 'l' && row === 7) return `'{"a": ${'['.repeat(150)}${']'.repeat(150)}}'`
    if (/JSON/.test(type)) return `'${JSON.stringify({ email: text, [text]: text })}'`
    if (/INT|DECIMAL|DOUBLE/.test(type))
      return String(numbers[row % numbers.length]).slice(0, type === 'INT' ? 9 : 11)
    if (type === 'DATE') return `'${days[row % days.length]}'`
    return /DATETIME|TIMESTAMP/.test(type) ? `'${days[row % days.length]} 00:00:00'` : `'${text}'`
  }
  const define = names.map((name) => `\`${name}\` ${columns[name]}`).join(', ')
  const rows = Array.from(
    { length: 2 * texts.length },
    (_, row) => `(${row + 1}, ${names.map((name) => cell(name, row)).join(', ')})`,
  )
  const pairs = texts.map((text, i) => `(${i + 1}, '${text}', '${text}')`).join(', ')
  url = await createOwnDatabase(throwaway, [
    `CREATE TABLE everything (id INT PRIMARY KEY, ${define})`,
    `INSERT INTO everything VALUES ${rows.join(', ')}`,
    'CREATE TABLE owners (id INT PRIMARY KEY, name VARCHAR(190), email VARCHAR(190))',
    `INSERT INTO owners VALUES ${pairs}`,
    'CREATE TABLE person_types (id INT PRIMARY KEY, name VARCHAR(190), email VARCHAR(190))',
    'INSERT INTO person_types SELECT * FROM owners WHERE id <= 20',
    'CREATE TABLE speakers (id INT PRIMARY KEY, name VARCHAR(190), title VARCHAR(190))',
    `INSERT INTO speakers VALUES (1, 'Anna Keller', 'Dr. Anna Keller'), (2, 'Tim Keller', 'Keller')`,
    'CREATE TABLE settings (id INT PRIMARY KEY, name VARCHAR(190), value VARCHAR(190))',
    `INSERT INTO settings VALUES ${pairs}, (901, 'default_currency', 'Keller'), (902, 'time_zone', 'Muenchen'), (903, 'site_owner', 'Anna Keller')`,
    `CREATE TABLE orders (id INT PRIMARY KEY, owner_id INT, speaker_id INT, type_id INT, status VARCHAR(20), state CHAR(20), city VARCHAR(20), currency CHAR(3), total INT, created_at DATETIME, stamped TIMESTAMP NULL, updated_at DATETIME NULL)`,
    `INSERT INTO orders VALUES ${Array.from({ length: 20 }, (_, i) => `(${i}, ${1 + (i % 3)}, ${1 + (i % 4)}, NULL, '${i % 2 ? 'paid' : 'open'}', 'Bavaria', 'Muenchen', '${i % 5 ? 'EUR' : 'JPY'}', ${100 * (i + 1)}, '2026-05-01 11:00:00', '2026-05-01 10:00:00', ${i < 5 ? 'NULL' : "'2026-05-02 11:00:00'"})`).join(', ')}`,
    'CREATE TABLE shop_options (id INT PRIMARY KEY, name VARCHAR(190), value TEXT)',
    `INSERT INTO shop_options VALUES ${Array.from({ length: 60 }, (_, i) => `(${i + 10}, 'option_${'abcdefgh'[i % 8]}${i}', 'on')`).join(', ')}`,
    `CREATE TABLE plans (${Array.from({ length: 30 }, (_, i) => `written_${i} INT`).join(', ')})`,
    'CREATE TABLE ticket_states (id INT, lang INT, name VARCHAR(40), PRIMARY KEY (id, lang))',
    "INSERT INTO ticket_states VALUES (1, 1, 'open'), (1, 2, 'offen'), (2, 1, 'paid'), (2, 2, 'bezahlt')",
    'CREATE TABLE states (id INT PRIMARY KEY, country VARCHAR(40))',
    "INSERT INTO states VALUES (71, 'DE')",
    'CREATE TABLE passes (id INT PRIMARY KEY, stateNr INT, ticket_number INT, createdAt BIGINT, updatedAt BIGINT)',
    `INSERT INTO passes VALUES ${[1, 2, 3, 4].map((i) => `(${i}, ${i > 1 ? 2 : 1}, ${i}, 1770000000${i}00, 1770000000${i > 2 ? 9 : i}00)`).join(', ')}`,
    "INSERT INTO shop_options VALUES (1, 'base_currency', 'GBP'), (2, 'site_timezone', 'Europe/London'), (5, 'clock', 'Asia/Dubai'), (3, 'site_owner', 'Anna Keller')",
  ])
  const facts = await withDatabase(url, readFacts)
  printed = `${renderFacts(facts)}\n${JSON.stringify(toReport(facts))}`
})

describe('facts', () => {
  test('show none of fifty values of persons, in no type of column, under no name', () => {
    const all = [...texts, ...numbers.map(String), ...days]
    expect(all).toHaveLength(50)
    // 37 is too short to be searched for.
    const found = all.filter((value) => value !== '37' && printed.includes(value))
    expect(found).toEqual([])
    expect(printed).toContain('everything(id) — 82 rows')
  })

  test.each([
    ['codes of a status', 'status varchar(20)?: paid×10 open×10'.replace('varchar(20)', 'v20')],
    ['the currency', 'currency char(3)?: EUR×16 JPY×4'],
    ['the unit of an integer by currency', 'multiples of 100: EUR 100% JPY 100%'],
    ['a DATETIME beside a TIMESTAMP', '+60m from stamped in 20 of 20'],
    ['which times lie after the creation', 'updated_at dt?5: '],
    ['a reference by name, and how many of its values are keys', 'owner_id?: ~owners (3)'],
    ['a reference that points to rows that do not exist', 'speaker_id?: ~speakers 50% (4)'],
    ['the codes of a status with the name of a table that has no such keys', 'stateNr int?: 2×3 1×1'],
    ['which integer times lie after the creation', 'updatedAt bigint?: epoch ms; >created 2'],
    ['the labels of a key of two columns', '2/2=bezahlt 2/1=paid 1/2=offen 1/1=open'],
    ['an empty table of many columns in a short line', '… 30 columns)\n'],
    ['settings of currency and zone', 'clock=Asia/Dubai×1 site_timezone=Europe/London×1'],
  ])('say %s', (_, line) => {
    expect(printed).toContain(line)
  })

  test('of a large table come from its newest and oldest rows, and read no others', async () => {
    const digits =
      '(SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)'
    const large = await createOwnDatabase(throwaway, [
      'CREATE TABLE visits (id INT PRIMARY KEY, status VARCHAR(20) NOT NULL, note LONGTEXT)',
      `INSERT INTO visits SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d, 'open', 'x' FROM ${digits} a, ${digits} b, ${digits} c, ${digits} e, ${digits} f WHERE f.d < 3`,
      'ANALYZE TABLE visits',
    ])
    const read = await withDatabase(large, async (run) => {
      const count = async (): Promise<number> =>
        (await run({ sql: "show session status like 'Handler_read%'", values: [] })).reduce(
          (sum, { Value }) => sum + Number(Value),
          0,
        )
      // One session runs all of it where nothing else is asked at the same time.
      const before = await count()
      const facts = await readFacts(run)
      expect(renderFacts(facts)).toContain('visits(id) — 300 of ')
      return (await count()) - before
    })
    expect(read).toBeLessThan(4_000)
  })
})

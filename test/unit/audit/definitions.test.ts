import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readTableText, readViewText } from '../../../src/audit/definitions.js'

type Named = [select: string, names: string[]]
const cases = parse(readFileSync('test/unit/audit/definitions.yaml', 'utf8')) as {
  readonly reads: Named[]
  readonly names: [select: string][]
  readonly functions: Named[]
}
const head = 'CREATE ALGORITHM=UNDEFINED DEFINER=`root`@`localhost` SQL SECURITY DEFINER VIEW `a AS b` AS '
const read = (select: string) => readViewText(head + select, 'shop')

describe('the definition of a view', () => {
  test.each(cases.reads)('names what it reads: %s', (select, expected) => {
    const names = read(select).reads.map(({ database, name }) =>
      database === 'shop' ? name : `${database}.${name}`,
    )
    expect(names).toEqual(expect.arrayContaining(expected))
    // A FROM that looks like the one of a query counts as one, so that the view is refused.
    expect(names.filter((name) => !expected.includes(name))).toEqual(
      select.includes('trim(both') ? ['t.b'] : [],
    )
  })

  test.each(cases.names)('names every column, with any text in its literals: %s', (select) => {
    expect(read(select).names).toContain('secret')
    expect(read(select).names).not.toContain('root')
  })

  test.each(cases.functions)('names stored functions, and no other: %s', (select, expected) => {
    expect(read(select).functions).toEqual(expected)
  })

  test('without quoted names gives none, so that it counts as hidden', () => {
    expect(readViewText('CREATE VIEW v AS select b.secret AS n from b', 'shop').names).toEqual([])
  })
})

test('the definition of a table shows for each column which columns it is computed from', () => {
  const text = `CREATE TABLE \`t\` (
  \`id\` int(11) NOT NULL,
  \`A,b)(\` varchar(20) DEFAULT NULL COMMENT 'x ) , \`y\` it''s \\\\',
  \`ref\` varchar(40) GENERATED ALWAYS AS (concat(_utf8mb4'it\\'s \\\\ \`',\`A,b)(\`)) VIRTUAL,
  \`d\` varchar(40) DEFAULT (concat(\`id\`,_utf8mb4'b')),
  \`e\` enum('a','b,)') DEFAULT NULL,
  \`n\` int(11) DEFAULT NULL CHECK (\`n\` > \`id\`),
  PRIMARY KEY (\`id\`),
  KEY \`ref\` (\`ref\`),
  CONSTRAINT \`c\` CHECK (\`id\` > 0)
) ENGINE=InnoDB DEFAULT CHARSET=latin1
 PARTITION BY HASH (\`id\`)`
  expect([...(readTableText(text)?.columns ?? [])]).toEqual([
    ['id', []],
    ['a,b)(', []],
    ['ref', ['A,b)(']],
    ['d', ['id']],
    ['e', []],
    ['n', []],
  ])
  for (const other of ['', 'CREATE SEQUENCE `s` start with 1', 'CREATE TABLE t (id int)'])
    expect(readTableText(other)).toBeUndefined()
})

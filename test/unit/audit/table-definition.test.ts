import { describe, expect, test } from 'vitest'
import { readTableText } from '../../../src/audit/table-definition.js'

describe('the text of a table', () => {
  test('tells for each column which columns it is computed from', () => {
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
    expect([...readTableText(text)!]).toEqual([
      ['id', []],
      ['a,b)(', []],
      ['ref', ['A,b)(']],
      ['d', ['id']],
      ['e', []],
      ['n', []],
    ])
  })

  test.each([
    '',
    'CREATE SEQUENCE `s` start with 1',
    'CREATE TABLE `t` (`id` int',
    'CREATE TABLE t (id int)',
  ])('that is not understood gives nothing: %s', (text) => {
    expect(readTableText(text)).toBeUndefined()
  })
})

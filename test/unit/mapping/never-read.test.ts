import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { isNeverRead } from '../../../src/mapping/mapped-columns.js'

type Case = [pattern: string, forbidden: readonly string[], allowed: readonly string[]]
const cases = parse(readFileSync('test/unit/mapping/never-read.yaml', 'utf8')) as Case[]
test.each(cases)('neverRead %s forbids %s, and not %s', (pattern, forbidden, allowed) => {
  const isForbidden = (name: string, patterns: readonly string[]): boolean => {
    const [table = '', column = ''] = name.split('.')
    return isNeverRead(patterns, table, column)
  }
  // Any of the patterns forbids; without one, nothing is forbidden.
  for (const name of forbidden) {
    expect(isForbidden(name, ['x.y', pattern]), name).toBe(true)
    expect(isForbidden(name, [])).toBe(false)
  }
  for (const name of allowed) expect(isForbidden(name, [pattern]), name).toBe(false)
})

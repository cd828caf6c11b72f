import { expect, test } from 'vitest'
import { evaluateChangeTimes } from '../../../src/audit/evaluate-columns.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { plainYaml, replacePart } from '../../support/plain-mapping.js'

const mapping = readMapping(plainYaml)

test.each([
  ['updatedAt: Created_At', 'updatedAt: { column: "Created_At", neverChanges: true }'],
  [
    'updatedAt: { column: created_at, epoch: ms }',
    'updatedAt: { column: "created_at", epoch: ms, neverChanges: true }',
  ],
])('%s beside createdAt: created_at is an error with the line that fixes it', (line, fix) => {
  const changed = (yaml: string): string => replacePart(plainYaml, 'updatedAt: updated_at', yaml)
  expect(evaluateChangeTimes(mapping)).toEqual([])
  const [finding, ...others] = evaluateChangeTimes(readMapping(changed(line)))
  expect(others).toEqual([])
  expect(finding).toMatchObject({ severity: 'error', object: 'registrations.fields.updatedAt' })
  expect(finding?.fix.endsWith(`: ${fix}`)).toBe(true)
  expect(evaluateChangeTimes(readMapping(changed(fix)))).toEqual([])
})

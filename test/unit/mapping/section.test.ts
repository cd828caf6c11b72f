import { expect, test } from 'vitest'
import type { Schema } from '../../../src/database/schema.js'
import { readMapping } from '../../../src/mapping/load-configuration.js'
import { sectionNames } from '../../../src/mapping/mapping-schema.js'
import { resolveMapping } from '../../../src/mapping/resolve-mapping.js'
import { Section } from '../../../src/mapping/section.js'
import { changeSchema, plainSchema, plainYaml } from '../../support/plain-mapping.js'

/* What a schema that fits no longer does is in test/database/drift.test.ts and drift-types.test.ts. */

test.each([
  ['nothing', plainSchema, ['apiKeys', 'registrations', 'invoices']],
  [
    'a column of registrations',
    changeSchema([['event_registrations', 'attendee_name', 'varchar(200) utf8mb4_bin']]),
    ['apiKeys', 'invoices'],
  ],
  [
    'a column of keys',
    changeSchema([['workspace_api_keys', 'key_hash', 'char(64) utf8mb4_bin']]),
    ['registrations', 'invoices'],
  ],
])('statements of unchanged sections stay in use where %s has changed', (_, schema, kept) => {
  const mapping = readMapping(plainYaml)
  const compareAll = () => Promise.resolve()
  const sections = sectionNames.map((name) => new Section({ name }, (resolved) => resolved[name], compareAll))
  const bind = (to: Schema) =>
    sections.map((one) => {
      one.compare(resolveMapping(mapping, to), [])
      return one.require()
    })
  const [first, next] = [bind(plainSchema), bind(schema)]
  expect(sectionNames.filter((_name, at) => next[at] === first[at])).toEqual(kept)
})

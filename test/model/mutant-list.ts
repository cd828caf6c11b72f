/** A way to break the service. */
export interface Mutant {
  readonly what: string
  readonly file: string
  /** Its first occurrence is replaced. */
  readonly search: string
  readonly replacement: string
}

/** For each file: what is broken, the text that is searched, and its replacement. */
const changes: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  'src/query/list-sql.ts': [
    [
      'a page shows every workspace, and what is archived',
      '    applyVisibility(query, table)\n    applyFilters(query, table, shape)',
      '    applyFilters(query, table, shape)',
    ],
    [
      'the next page repeats a tie',
      "raw('? > ?', name, placeholder(id.column",
      "raw('? >= ?', name, placeholder(id.column",
    ],
    ['the next page skips ties', '(? >= ? and (? > ? or ?))', '(? >= ? and (? > ? and ?))'],
    [
      'updatedSince is exclusive',
      "raw('? >= ?', quoteName(updatedAt.name)",
      "raw('? > ?', quoteName(updatedAt.name)",
    ],
    ['a derived status ignores the cases before', 'cases.slice(0, at)', 'cases.slice(0, 0)'],
    ['the filter by the other status is turned round', "form === 'other' ? raw('not ?', any) : any", 'any'],
    [
      'an event by a link table is compared by collation',
      "equalsExactly(event.column, quoteColumn('link', event.column), slot('event'))",
      "raw('? = ?', quoteColumn('link', event.column), placeholder(event.column, slot('event')))",
    ],
  ],
  'src/query/list-plan.ts': [
    ['a page is not one row longer than it shows', 'String(query.limit + 1)', 'String(query.limit)'],
  ],
  'src/query/item-sql.ts': [
    ['the id of a single record has no workspace', '      applyVisibility(query, table)\n', ''],
  ],
  'src/query/cursor.ts': [
    [
      'a cursor is valid in every workspace',
      'JSON.stringify([collection, workspaceId])',
      'JSON.stringify([collection, typeof workspaceId])',
    ],
  ],
  'src/query/list-query.ts': [
    ['filters beside a cursor are ignored', '  requireSameFilters(sent, crawl)\n', ''],
    ['unknown statuses are accepted', 'statuses.includes(status)', 'status !== null'],
  ],
  'src/query/lookup-sql.ts': [
    [
      'lookups with different keys are taken for one',
      '    key.name,\n    on.column.name,\n',
      '    key.name,\n',
    ],
    ['the tests of a lookup are ignored', '...tests.map((test)', '...tests.slice(0, 0).map((test)'],
    [
      'any row that fits counts',
      'return join([...listFits(alias, choice), isFirst]',
      'return join([...listFits(alias, choice)]',
    ],
    ['the highest primary key counts', "compare(column, '<')", "compare(column, '>')"],
    ['a missing row passes no test', 'when 0 then ${whenMissing}', 'when 0 then 0'],
    [
      'a text of another collation is matched by that of the key',
      "return raw('? = ? and ?', quotedKey, converted,",
      "return raw('? = ? and (? or 1 = 1)', quotedKey, converted,",
    ],
    [
      'texts of one collation are matched byte for byte',
      'key.collation === column.collation &&',
      'key.collation === null &&',
    ],
  ],
  'src/query/condition-sql.ts': [
    [
      'a constant workspace is that of every key',
      "slot('workspace'), constant(workspace.constant)",
      "slot('workspace'), slot('workspace')",
    ],
  ],
  'src/query/test-sql.ts': [
    ['tests compare by collation', "return column.kind === 'text'\n", "return column.kind !== 'text'\n"],
    [
      'a zero TIMESTAMP is a time',
      "kind === 'datetime' || kind === 'timestamp' ? raw",
      "kind === 'datetime' ? raw",
    ],
    ['NULL is archived', 'not ifnull((?), 0)', 'not ifnull((?), 1)'],
  ],
  'src/resources/status-words.ts': [
    [
      'the word of other codes is like any word',
      'const isOther = word === otherwise',
      'const isOther = false && word === otherwise',
    ],
    [
      'a code that is not listed is shown',
      '(values.get(stored) ?? otherwise)',
      '(values.get(stored) ?? otherwise ?? stored)',
    ],
  ],
  'src/resources/registrations.ts': [
    [
      'the time of a check-in is shown without one',
      'checkedInAt: checkedIn ? read.checkedInAt(row) : null',
      'checkedInAt: read.checkedInAt(row)',
    ],
  ],
  'src/resources/field-kinds.ts': [
    ['names are joined without a separator', "(option.separator ?? ' ')", "(option.separator ?? '')"],
  ],
  'src/resources/column-resolver.ts': [
    [
      'a TIMESTAMP has the offset of the mapping',
      "column.kind === 'datetime' ? input.zone : undefined",
      'input.zone',
    ],
  ],
  'src/resources/define-resource.ts': [
    [
      'archived records are shown',
      'archived: listArchivedTests(section.archived).map(',
      'archived: listArchivedTests([]).map(',
    ],
  ],
  'src/values/identifier.ts': [
    ['a swapped UUID is swapped wrongly', '[4, 8], [2, 4], [0, 2]', '[4, 8], [0, 2], [2, 4]'],
    ['an ASCII column takes any text', 'ascii.test(text) ? text : undefined', 'text'],
  ],
  'src/values/money.ts': [
    [
      'minor units are hundredths',
      "form === 'minor' ? digits : form.scale",
      "form === 'minor' ? 2 : form.scale",
    ],
    ['text that is no number is an amount', '^-?\\d{1,65}(?:\\.\\d{1,30})?$', '\\d'],
    ['floats are cut and not rounded', 'Big.roundHalfUp', 'Big.roundDown'],
    ['totals lose the zeros of the currency', 'const least = point + 1 + digits', 'const least = point + 1'],
  ],
  'src/values/timestamp.ts': [
    [
      'fractions of a second lose their place',
      "cell.slice(20).padEnd(3, '0')",
      "cell.slice(20).padStart(3, '0')",
    ],
  ],
  'src/values/instant.ts': [
    [
      'an instant between two microseconds is rounded down',
      "Math.ceil(Number((match[7] ?? '').padEnd(9, '0')) / 1000)",
      "Math.floor(Number((match[7] ?? '').padEnd(9, '0')) / 1000)",
    ],
    [
      'an instant is rounded down to the digits of its column',
      'Math.ceil(micros / step) * step',
      'Math.floor(micros / step) * step',
    ],
  ],
  'src/values/zone.ts': [
    ['a repeated hour is the later one', 'if (seconds - before < at)', 'if (seconds - after < at)'],
    [
      'a time of the gap is not moved',
      'seconds - after < at ? { seconds: at, micros: 0 } : { seconds: seconds - after, micros }',
      '{ seconds: seconds - after, micros }',
    ],
    ['updatedSince misses the repeated hour', 'seconds >= at - (before - after)', 'seconds > at'],
    ['updatedSince misses the gap', 'seconds === at && micros === 0', 'seconds === -1'],
  ],
  'src/resources/currency-field.ts': [
    ['an empty currency counts', "cell !== null && cell !== ''", 'cell !== null'],
    ['the last currency of several counts', '.find(isPresent)', '.findLast(isPresent)'],
  ],
  'src/resources/row-test.ts': [
    [
      'notEquals is equals',
      "'set' : [option.notEquals], isNegated: true",
      "'set' : [option.notEquals], isNegated: false",
    ],
    ['notIn is in', 'is: option.notIn, isNegated: true', 'is: option.notIn, isNegated: false'],
  ],
  'src/values/epoch.ts': [
    ['times before 1970 are wrong', '((value % scale) + scale) % scale', 'value % scale'],
  ],
  'src/values/currency.ts': [['a currency in small letters is shown so', 'cell.toUpperCase()', 'cell']],
  'src/values/text.ts': [['blank parts of a name are kept', "part.trim() !== ''", "part !== ''"]],
  'src/mapping/resolve-mapping.ts': [
    ['the time zone of the mapping is ignored', 'parseZone(mapping.timezone)', "parseZone('+01:00')"],
  ],
  'src/keys/validate-key.ts': [
    ['revoked keys are accepted', 'row.revoked || ', ''],
    ['keys never expire', 'nowMs >= expiresAt.seconds', 'nowMs < 0 * expiresAt.seconds'],
    [
      'every key has every scope',
      'if (principal.scopes.includes(scope)) return',
      'if (principal.scopes.length > 0) return',
    ],
  ],
}

/** The list, in order of the floors. */
export const mutants: readonly Mutant[] = Object.entries(changes).flatMap(([file, list]) =>
  list.map(([what, search, replacement]) => ({ what, file, search, replacement })),
)

/** A way to break the service. */
export interface Mutant {
  readonly what: string
  readonly file: string
  /** Its first occurrence is replaced. */
  readonly search: string
  readonly replacement: string
}

const query: readonly Mutant[] = [
  {
    what: 'a page shows every workspace, and what is archived',
    file: 'src/query/list-sql.ts',
    search: '    applyVisibility(query, table)\n    applyFilters(query, table, shape)',
    replacement: '    applyFilters(query, table, shape)',
  },
  {
    what: 'the next page repeats a tie',
    file: 'src/query/list-sql.ts',
    search: "raw('? > ?', name, placeholder(id.column",
    replacement: "raw('? >= ?', name, placeholder(id.column",
  },
  {
    what: 'the next page skips ties',
    file: 'src/query/list-sql.ts',
    search: '(? >= ? and (? > ? or ?))',
    replacement: '(? >= ? and (? > ? and ?))',
  },
  {
    what: 'updatedSince is exclusive',
    file: 'src/query/list-sql.ts',
    search: "raw('? >= ?', quoteName(updatedAt.name)",
    replacement: "raw('? > ?', quoteName(updatedAt.name)",
  },
  {
    what: 'a derived status ignores the cases before',
    file: 'src/query/list-sql.ts',
    search: 'cases.slice(0, at)',
    replacement: 'cases.slice(0, 0)',
  },
  {
    what: 'the filter by the other status is turned round',
    file: 'src/query/list-sql.ts',
    search: "form === 'other' ? raw('not ?', any) : any",
    replacement: 'any',
  },
  {
    what: 'an event by a link table is compared by collation',
    file: 'src/query/list-sql.ts',
    search: "equalsExactly(event.column, quoteColumn('link', event.column), slot('event'))",
    replacement: "raw('? = ?', quoteColumn('link', event.column), placeholder(event.column, slot('event')))",
  },
  {
    what: 'a page is not one row longer than it shows',
    file: 'src/query/list-plan.ts',
    search: 'String(query.limit + 1)',
    replacement: 'String(query.limit)',
  },
  {
    what: 'the word of other codes is like any word',
    file: 'src/query/list-plan.ts',
    search: 'const isOther = word === otherwise',
    replacement: 'const isOther = false && word === otherwise',
  },
  {
    what: 'the id of a single record has no workspace',
    file: 'src/query/item-sql.ts',
    search: '      applyVisibility(query, table)\n',
    replacement: '',
  },
  {
    what: 'a cursor is valid in every workspace',
    file: 'src/query/cursor.ts',
    search: 'JSON.stringify([collection, workspaceId])',
    replacement: 'JSON.stringify([collection, typeof workspaceId])',
  },
  {
    what: 'filters beside a cursor are ignored',
    file: 'src/query/list-query.ts',
    search: '  requireSameFilters(sent, crawl)\n',
    replacement: '',
  },
  {
    what: 'unknown statuses are accepted',
    file: 'src/query/list-query.ts',
    search: 'statuses.includes(status)',
    replacement: 'status !== null',
  },
  {
    what: 'lookups with different keys are taken for one',
    file: 'src/query/lookup-sql.ts',
    search: 'JSON.stringify([table, key.name, on.column.name,',
    replacement: "JSON.stringify([table, key.name, '',",
  },
  {
    what: 'a text of another collation is matched by that of the key',
    file: 'src/query/lookup-sql.ts',
    search: "return raw('? = ? and ?', quotedKey, converted,",
    replacement: "return raw('? = ? and (? or 1 = 1)', quotedKey, converted,",
  },
  {
    what: 'texts of one collation are matched byte for byte',
    file: 'src/query/lookup-sql.ts',
    search: 'key.collation === column.collation &&',
    replacement: 'key.collation === null &&',
  },
]

const conditions: readonly Mutant[] = [
  {
    what: 'a constant workspace is that of every key',
    file: 'src/query/condition-sql.ts',
    search: "slot('workspace'), constant(workspace.constant)",
    replacement: "slot('workspace'), slot('workspace')",
  },
  {
    what: 'tests compare by collation',
    file: 'src/query/condition-sql.ts',
    search: "return column.kind === 'text'\n",
    replacement: "return column.kind !== 'text'\n",
  },
  {
    what: 'a zero TIMESTAMP is a time',
    file: 'src/query/condition-sql.ts',
    search: "kind === 'datetime' || kind === 'timestamp' ? raw",
    replacement: "kind === 'datetime' ? raw",
  },
  {
    what: 'NULL is archived',
    file: 'src/query/condition-sql.ts',
    search: 'not ifnull((?), 0)',
    replacement: 'not ifnull((?), 1)',
  },
]

const resources: readonly Mutant[] = [
  {
    what: 'a code that is not listed is shown',
    file: 'src/resources/status-field.ts',
    search: '(values.get(stored) ?? otherwise)',
    replacement: '(values.get(stored) ?? otherwise ?? stored)',
  },
  {
    what: 'the time of a check-in is shown without one',
    file: 'src/resources/registrations.ts',
    search: 'checkedInAt: checkedIn ? read.checkedInAt(row) : null',
    replacement: 'checkedInAt: read.checkedInAt(row)',
  },
  {
    what: 'names are joined without a separator',
    file: 'src/resources/field-kinds.ts',
    search: "(option.separator ?? ' ')",
    replacement: "(option.separator ?? '')",
  },
  {
    what: 'a TIMESTAMP has the offset of the mapping',
    file: 'src/resources/column-resolver.ts',
    search: "column.kind === 'datetime' ? input.offsetMinutes : 0",
    replacement: 'input.offsetMinutes',
  },
  {
    what: 'invalid rows fail a page by default',
    file: 'src/resources/define-resource.ts',
    search: "mapped.invalidRows ?? 'skip'",
    replacement: "mapped.invalidRows ?? 'fail'",
  },
]

const values: readonly Mutant[] = [
  {
    what: 'a swapped UUID is swapped wrongly',
    file: 'src/values/identifier.ts',
    search: '[4, 8], [2, 4], [0, 2]',
    replacement: '[4, 8], [0, 2], [2, 4]',
  },
  {
    what: 'an integer id has several spellings',
    file: 'src/values/identifier.ts',
    search: '/^(?:0|-?[1-9]\\d*)$/',
    replacement: '/^-?\\d+$/',
  },
  {
    what: 'minor units are hundredths',
    file: 'src/values/money.ts',
    search: "form === 'minor' ? digits : form.scale",
    replacement: "form === 'minor' ? 2 : form.scale",
  },
  {
    what: 'floats are cut and not rounded',
    file: 'src/values/money.ts',
    search: 'Big.roundHalfUp',
    replacement: 'Big.roundDown',
  },
  {
    what: 'totals lose the zeros of the currency',
    file: 'src/values/money.ts',
    search: 'const least = point + 1 + digits',
    replacement: 'const least = point + 1',
  },
  {
    what: 'fractions of a second lose their place',
    file: 'src/values/timestamp.ts',
    search: "cell.slice(20).padEnd(3, '0')",
    replacement: "cell.slice(20).padStart(3, '0')",
  },
  {
    what: 'an instant between two microseconds is rounded down',
    file: 'src/values/instant.ts',
    search: "Math.ceil(Number((match[7] ?? '').padEnd(9, '0')) / 1000)",
    replacement: "Math.floor(Number((match[7] ?? '').padEnd(9, '0')) / 1000)",
  },
  {
    what: 'an instant is rounded down to the digits of its column',
    file: 'src/values/instant.ts',
    search: 'Math.ceil(instant.micros / step) * step',
    replacement: 'Math.floor(instant.micros / step) * step',
  },
  {
    what: 'times before 1970 are wrong',
    file: 'src/values/epoch.ts',
    search: '((value % scale) + scale) % scale',
    replacement: 'value % scale',
  },
  {
    what: 'a currency in small letters is shown so',
    file: 'src/values/currency.ts',
    search: 'cell.toUpperCase()',
    replacement: 'cell',
  },
  {
    what: 'blank parts of a name are kept',
    file: 'src/values/text.ts',
    search: "part.trim() !== ''",
    replacement: "part !== ''",
  },
]

const keys: readonly Mutant[] = [
  {
    what: 'the time zone of the mapping is ignored',
    file: 'src/mapping/resolve-mapping.ts',
    search: 'parseOffset(mapping.timezone)',
    replacement: "parseOffset('+00:00')",
  },
  {
    what: 'revoked keys are accepted',
    file: 'src/keys/validate-key.ts',
    search: 'row.revoked || ',
    replacement: '',
  },
  {
    what: 'keys never expire',
    file: 'src/keys/validate-key.ts',
    search: 'nowMs >= expiresAt.seconds',
    replacement: 'nowMs < 0 * expiresAt.seconds',
  },
  {
    what: 'every key has every scope',
    file: 'src/keys/validate-key.ts',
    search: 'if (principal.scopes.includes(scope)) return',
    replacement: 'if (principal.scopes.length > 0) return',
  },
]

/** The list, in order of the floors. */
export const mutants: readonly Mutant[] = [...query, ...conditions, ...resources, ...values, ...keys]

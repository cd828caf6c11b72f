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
  'src/collections/page.ts': [
    [
      'the next page repeats a tie',
      "sql`${name} > ${toOperand(id.column, new Hole('id'))}`",
      "sql`${name} >= ${toOperand(id.column, new Hole('id'))}`",
    ],
    ['the next page skips ties', '(${time} > ${last} or ${behindId})', '(${time} > ${last} and ${behindId})'],
    [
      'updatedSince is exclusive',
      '} >= ${toOperand(column, new Hole(since))',
      '} > ${toOperand(column, new Hole(since))',
    ],
    ['a page is not one row longer than it shows', 'String(limit + 1)', 'String(limit)'],
  ],
  'src/collections/rows.ts': [
    ['a text that is no JSON is NULL', "when ${quoted} is not null then '{' end", 'end'],
    [
      'a page shows every workspace',
      'return [isInWorkspace(table), ...listUnarchived(table)]',
      'return [sql`${own} is not null`, ...listUnarchived(table)]',
    ],
    [
      'a constant workspace is that of every key',
      'cast(${workspace.constant} as binary)',
      'cast(${own} as binary)',
    ],
    [
      'a missing row passes no test',
      "test.is === 'unset' || (test.is !== 'set'",
      "test.is === 'set' && (test.is !== 'set'",
    ],
  ],
  'src/collections/filters.ts': [
    ['a derived status ignores the cases before', 'cases.slice(0, at)', 'cases.slice(0, 0)'],
    [
      'an event by a link table is compared by collation',
      "${equals(event.column, quoteColumn('link', event.column), wanted)}",
      "${quoteColumn('link', event.column)} = ${toOperand(event.column, wanted)}",
    ],
    [
      'an event that is empty is no reason for the next place',
      'length(${quoted}) = 0',
      'length(${quoted}) < 0',
    ],
    [
      'the filter by the other status is turned round',
      "=== 'other' ? sql`not ${any}` : any",
      "=== 'none' ? sql`not ${any}` : any",
    ],
  ],
  'src/collections/cursor.ts': [
    [
      'a cursor is valid in every workspace',
      'JSON.stringify([collection, workspaceId])',
      'JSON.stringify([collection, typeof workspaceId])',
    ],
  ],
  'src/collections/list-query.ts': [
    ['filters beside a cursor are ignored', '  requireSameFilters(sent, crawl)\n', ''],
    ['unknown statuses are accepted', 'statuses.includes(status)', 'status !== null'],
  ],
  'src/collections/lookup.ts': [
    [
      'lines that fail a test count',
      "...(choice?.tests ?? []).map((test) => testCell(test, quoteColumn('line', test.column))),",
      '',
    ],
    ['a line that is NULL counts as 0', 'count(*) = count(${cell})', 'count(*) >= count(${cell})'],
    [
      'lines are found by collation',
      "matchKey(key, quoteColumn('line', key), lookup.on.column, on),",
      "sql`convert(${quoteColumn('line', key)} using utf8mb4) = convert(${on} using utf8mb4)`,",
    ],
    [
      'the tests of a lookup are ignored',
      '...choice.tests.map((test)',
      '...choice.tests.slice(0, 0).map((test)',
    ],
    ['any row that fits counts', 'return all([...fits(alias), first])', 'return all(fits(alias))'],
    [
      'the highest primary key counts',
      "sql`${place('before', column)} < ",
      "sql`${place('before', column)} > ",
    ],
    [
      'a text of another collation is matched by that of the key',
      'convert(quotedOn, key)} and ${bytes}`',
      'convert(quotedOn, key)} and (${bytes} or 1 = 1)`',
    ],
    [
      'texts of one collation are matched byte for byte',
      'key.collation === on.collation &&',
      'key.collation === null &&',
    ],
  ],
  'src/collections/parents.ts': [
    ['a row is of every parent row', 'on ${isOfParent}`', 'on (1 = 1 or ${isOfParent})`'],
  ],
  'src/collections/record.ts': [
    ['a record of another workspace is shown', "new Hole('id')), ...listVisible(table)]", "new Hole('id'))]"],
    [
      'a record is found by collation',
      "[equals(column, quote(column.name), new Hole('id'))",
      "[sql`${quote(column.name)} = ${toOperand(column, new Hole('id'))}`",
    ],
  ],
  'src/collections/records.ts': [
    ['a full last page has a cursor', 'this.#rows > this.#limit', 'this.#rows >= this.#limit'],
    [
      'the row beyond the page is shown',
      'this.#index >= this.#limit) return\n    this.#settle',
      'this.#index > this.#limit) return\n    this.#settle',
    ],
  ],
  'src/mapping/bind.ts': [
    [
      'a section that fits no longer is served',
      'if (section.issues.length > 0) throw',
      'if (section.issues.length < 0) throw',
    ],
  ],
  'src/collections/resolved-table.ts': [
    ['lookups with different keys are taken for one', 'key.name, on.column.name,', 'key.name,'],
  ],
  'src/collections/row-test.ts': [
    ['tests compare by collation', "column.kind === 'text' ? equals", "column.kind !== 'text' ? equals"],
    [
      'a zero TIMESTAMP is a time',
      "kind === 'datetime' || kind === 'timestamp' ? new Sql",
      "kind === 'datetime' ? new Sql",
    ],
    ['NULL is archived', 'not ifnull((${any}), 0)', 'not ifnull((${any}), 1)'],
    ['notEquals is equals', '(notIn ?? notEquals) !== undefined', 'notIn !== undefined'],
    ['notIn is in', '(notIn ?? notEquals) !== undefined', 'notEquals !== undefined'],
    ['archived: a negated test stays negated', 'isNegated: test.isNegated !== true', 'isNegated: true'],
  ],
  'src/collections/status-field.ts': [
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
  'src/collections/field-kinds.ts': [
    ['names are joined without a separator', "separator = ' ', charset", "separator = '', charset"],
    ['a test makes no flag true', "row[name] === '1'", "row[name] === '2'"],
    ['a zero date is a time', "cell.startsWith('0000-00-00')", "cell.startsWith('9999')"],
  ],
  'src/collections/column-resolver.ts': [
    [
      'a TIMESTAMP has the offset of the mapping',
      "column.kind === 'datetime' ||",
      "column.kind !== 'date' ||",
    ],
  ],
  'src/collections/define-collection.ts': [
    [
      'archived records are shown',
      'archived: listArchivedTests(section.archived).map(',
      'archived: listArchivedTests([]).map(',
    ],
  ],
  'src/values/identifier.ts': [
    ['a swapped UUID is swapped wrongly', '[4, 8], [2, 4], [0, 2]', '[4, 8], [0, 2], [2, 4]'],
    ['an ASCII column takes any text', 'texts[kind].test(text) ? text : undefined', 'text'],
  ],
  'src/values/money.ts': [
    [
      'minor units are hundredths',
      "form === 'minor' ? digits : form.scale",
      "form === 'minor' ? 2 : form.scale",
    ],
    ['text that is no number is an amount', '^-?(?=(?:\\.?\\d){1,65}$)\\d+(?:\\.\\d+)?$', '\\d'],
    ['floats are cut and not rounded', 'Big.roundHalfUp', 'Big.roundDown'],
    ['totals lose the zeros of the currency', 'const least = point + 1 + digits', 'const least = point + 1'],
    ['a currency in small letters is shown so', 'cell.toUpperCase()', 'cell'],
  ],
  'src/values/instant.ts': [
    ['fractions of a second lose their place', "slice(20).padEnd(3, '0')", "slice(20).padStart(3, '0')"],
    ['a day begins in UTC', '00:00:00`, zone)', '00:00:00`)'],
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
  'src/values/epoch.ts': [
    ['times before 1970 are wrong', '((value % scale) + scale) % scale', 'value % scale'],
  ],
  'src/values/text.ts': [
    ['blank parts of a name are kept', "part.trim() !== ''", "part !== ''"],
    ['null in a JSON document is a text', "json === 'null' ? null : json", 'json'],
    ['an object in a JSON document is shown', 'false|-?\\d.*', 'false|-?\\d.*|\\{.*'],
  ],
  'src/collections/text-source.ts': [
    ['an empty place hides those behind it', "value !== ''", "value !== 'none'"],
    [
      'the last place counts',
      'for (const { read } of places)',
      'for (const { read } of places.toReversed())',
    ],
  ],
  'src/collections/time-fields.ts': [
    ['the time of a check-in is shown without one', 'readField(flag) !== true', 'readField(flag) === null'],
  ],
  'src/mapping/resolve-mapping.ts': [
    ['the time zone of the mapping is ignored', 'parseZone(mapping.timezone)', "parseZone('+01:00')"],
  ],
  'src/keys/key.ts': [
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

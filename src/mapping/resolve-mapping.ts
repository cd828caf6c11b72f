import type { Column } from '../database/column.js'
import type { Heartbeat } from '../database/heartbeat.js'
import type { Schema } from '../database/schema.js'
import type { ConfigIssue } from '../errors.js'
import { invoices } from '../collections/invoices.js'
import { ColumnResolver, missingColumn } from '../collections/column-resolver.js'
import type { AcceptedColumn, ResolverInput } from '../collections/column-resolver.js'
import { findTime } from '../collections/time-fields.js'
import { registrations } from '../collections/registrations.js'
import type { DocumentedCollection } from '../collections/collection.js'
import { parseZone } from '../values/zone.js'
import type { Mapping } from './mapping-schema.js'
import { findPlace } from '../collections/identifier-fields.js'

/** The mapping with every name resolved to a column of the live database; the issues say what does not fit. */
export type ResolvedMapping = ReturnType<typeof resolveMapping>

/**
 * Resolves a mapping against a schema. The path of an issue begins with its section; a section without issues is usable, and
 * a collection without a section is undefined.
 *
 * @param onColumn called for each column that the mapping names, found or not.
 */
export function resolveMapping(mapping: Mapping, schema: Schema, onColumn?: ResolverInput['onColumn']) {
  const { timezone = '+00:00', zeroDates, primaryKeys, entriesMax } = mapping
  const zone = timezone === '+00:00' ? undefined : parseZone(timezone)
  const issues: ConfigIssue[] = []
  const common = { schema, zone, zeroDates, primaryKeys, entriesMax, issues, onColumn }
  const input = { ...common, heartbeat: mapping.heartbeat && findHeartbeat(mapping.heartbeat, common) }
  return {
    apiKeys: resolveKeyTable(mapping.apiKeys, input),
    registrations: mapping.registrations && registrations.resolve(mapping.registrations, input),
    invoices: mapping.invoices && invoices.resolve(mapping.invoices, input),
    issues: issues as readonly ConfigIssue[],
  }
}

/** A heartbeat that cannot be read is an issue; while the service runs, it then proves nothing of a page. */
function findHeartbeat(heartbeat: Heartbeat, input: ResolverInput): Heartbeat {
  const { table, column, oldestOpen } = heartbeat
  const columns = new ColumnResolver(input, { table, path: 'heartbeat' })
  const beats = { kinds: ['timestamp', 'datetime', 'text'], form: 'TIMESTAMP, DATETIME or text' } as const
  const found = Object.entries({ column, oldestOpen }).flatMap(([option, name]) =>
    name === undefined ? [] : [columns.at(option).find(name, beats).column],
  )
  return { ...heartbeat, isMissing: found.includes(missingColumn) }
}

/** What the OpenAPI document needs of the collections that a mapping has; no database is needed for it. */
export function describeCollections(mapping: Mapping): readonly DocumentedCollection[] {
  return [
    mapping.registrations && registrations.describe(mapping.registrations),
    mapping.invoices && invoices.describe(mapping.invoices),
  ].filter((collection) => collection !== undefined)
}

/** The key table with the server's own columns. */
export type ResolvedKeyTable = ReturnType<typeof resolveKeyTable>

const hashes = {
  binary: { kinds: ['binary'], form: 'BINARY; for text, another encoding' },
  text: { kinds: ['text'], form: 'CHAR or VARCHAR; for bytes, encoding: binary' },
} as const
const words: AcceptedColumn = { kinds: ['text', 'json'], form: 'CHAR, VARCHAR, TEXT or JSON' }
const limits: AcceptedColumn = { kinds: ['integer'], form: 'an integer type' }
const digestBytes = { sha256: 32, sha384: 48, sha512: 64 }

/** Finds the columns of the key table; a hash column that cannot hold a whole hash is an issue. */
function resolveKeyTable(keys: Mapping['apiKeys'], input: ResolverInput) {
  const { table, workspace, scopes, expiresAt, revokedAt, rateLimitPerMinute: rate, where = [] } = keys
  const columns = new ColumnResolver(input, { table, path: 'apiKeys' })
  const tests = columns.at('where')
  return {
    table,
    hash: findHash(keys, columns.at('hash')),
    workspace: findPlace(workspace, columns.at('workspace'), false),
    scopes: 'column' in scopes ? columns.at('scopes').find(scopes.column, words).column : undefined,
    expiresAt: expiresAt === undefined ? undefined : findTime(expiresAt, columns.at('expiresAt')),
    revokedAt: revokedAt === undefined ? undefined : findTime(revokedAt, columns.at('revokedAt')),
    rateLimitPerMinute:
      rate === undefined ? undefined : columns.at('rateLimitPerMinute').find(rate, limits).column,
    /** All of these must hold for a row to be a key. */
    where: where.map((test) => tests.findTest(test)),
  }
}

function findHash({ hash }: Mapping['apiKeys'], columns: ColumnResolver): Column {
  const isBinary = hash.encoding === 'binary'
  const found = columns.find(hash.column, hashes[isBinary ? 'binary' : 'text'])
  const { type, length } = found.column
  const wanted = storedHashLength(hash)
  // BINARY pads shorter values, so there the length must be equal.
  if (length < wanted || (type.startsWith('binary') && length > wanted))
    columns.reportColumn(
      found,
      isBinary ? `BINARY(${wanted})` : `a text column of at least ${wanted} characters`,
    )
  return found.column
}

/** Bytes or characters of a digest in the encoding of the key table. */
export function storedHashLength({ algorithm, encoding }: Mapping['apiKeys']['hash']): number {
  const digest = Buffer.alloc(digestBytes[algorithm])
  return encoding === 'binary' ? digest.length : digest.toString(encoding).length
}

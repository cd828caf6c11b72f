import type { RowDataPacket } from 'mysql2/promise'
import { createKey } from './built.js'
import { quoteName, renderValue, withConnection } from './load.js'
import type { ColumnValue } from './text-source.js'
import type { Mapping, Scope } from './mapping.js'

/** An API key that a test asks for. */
export interface KeyInput {
  /** The id of the workspace, as the API shows it; may be left out where the mapping gives every key the same one. */
  readonly workspace?: string | undefined
  readonly scopes: readonly Scope[]
  /** When it expires, in the past for an expired key; without it, never. */
  readonly expiresAt?: Date | undefined
  /** Whether it is revoked. */
  readonly revoked?: boolean | undefined
  /** Columns of the key table that the mapping does not name and that must have a value. */
  readonly columns?: Readonly<Record<string, ColumnValue>> | undefined
}

/** Stores a new key in the key table of a mapping, and returns the key itself. */
export async function mintKey(adminUrl: string, mapping: Mapping, input: KeyInput): Promise<string> {
  const { apiKeys } = mapping
  requireScopes(apiKeys.scopes, input.scopes)
  const { key, columns } = await createKey(mapping, { workspace: input.workspace, scopes: input.scopes })
  await withConnection(adminUrl, async (connection) => {
    const renderTime = async (option: 'expiresAt' | 'revokedAt', at: Date): Promise<[string, string]> => {
      const time = apiKeys[option]
      if (time === undefined)
        throw new Error(`mintKey: the mapping has no apiKeys.${option}, so no key can have it`)
      if (typeof time === 'object') return [time.column, renderEpoch(at, time.epoch)]
      const column = time
      const [rows] = await connection.query<RowDataPacket[]>(
        `SELECT data_type AS type, datetime_precision AS digits FROM information_schema.columns
          WHERE table_schema = DATABASE() AND table_name = ? AND column_name = ?`,
        [apiKeys.table, column],
      )
      const isDateTime = String(rows[0]?.['type']).toLowerCase() === 'datetime'
      const zone = isDateTime ? mapping.timezone : '+00:00'
      return [column, renderInstant(at, { zone, digits: Number(rows[0]?.['digits'] ?? 0) })]
    }
    const all = [
      ...columns,
      ...(input.expiresAt === undefined ? [] : [await renderTime('expiresAt', input.expiresAt)]),
      ...(input.revoked === true ? [await renderTime('revokedAt', new Date(Date.now() - 60_000))] : []),
      ...Object.entries(input.columns ?? {}).map(([name, value]) => [name, renderValue(value)] as const),
    ]
    const names = all.map(([name]) => quoteName(name)).join(', ')
    const values = all.map(([, value]) => value).join(', ')
    await connection
      .query(`INSERT INTO ${quoteName(apiKeys.table)} (${names}) VALUES (${values})`)
      .catch((error: unknown) => {
        const { message, code } = error as Error & { readonly code?: string }
        throw new Error(
          `mintKey: ${message} (${String(code)}); columns that the mapping does not name are given in \`columns\``,
          { cause: error },
        )
      })
  })
  return key
}

const knownScopes: readonly Scope[] = ['registration.read', 'invoices.read']

function requireScopes(option: Mapping['apiKeys']['scopes'], scopes: readonly Scope[]): void {
  const unknown = scopes.find((scope) => !knownScopes.includes(scope))
  if (unknown !== undefined)
    throw new Error(
      `mintKey: there is no scope ${JSON.stringify(unknown)}; the scopes are ${knownScopes.join(', ')}`,
    )
  if ('column' in option) return
  const isEqual = scopes.length === option.grant.length && option.grant.every((one) => scopes.includes(one))
  if (isEqual) return
  throw new Error(`mintKey: the mapping gives every key the scopes ${option.grant.join(', ')}`)
}

function renderEpoch(at: Date, unit: 's' | 'ms' | 'us'): string {
  const ms = at.getTime()
  return String({ s: Math.floor(ms / 1000), ms, us: ms * 1000 }[unit])
}

/** An instant as the column stores it, cut to its digits: the server would round up. */
function renderInstant(at: Date, { zone, digits }: { zone: string; digits: number }): string {
  const fraction = digits === 0 ? '' : at.toISOString().slice(19, 20 + Math.min(digits, 3))
  return `'${toLocal(at, zone)}${fraction}'`
}

/** The local time of a zone, to the second. Node 20 knows no offsets as zones. */
function toLocal(at: Date, zone: string): string {
  const offset = /^([+-])(\d\d):(\d\d)$/.exec(zone)
  // The Swedish form is that of SQL.
  if (offset === null) return at.toLocaleString('sv-SE', { timeZone: zone })
  const [, sign, hours, minutes] = offset
  const shiftMs = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  return new Date(at.getTime() + shiftMs).toISOString().slice(0, 19).replace('T', ' ')
}

import mysql from 'mysql2/promise'

/** A database server that an administrator may do anything on. */
export interface Server {
  /** `mysql://admin:password@host:port/`, without a database. */
  readonly adminUrl: string
  /** Where it came from, for people. */
  readonly origin: string
}

/** A new password for an account of a throwaway server. */
export function createPassword(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

/** Runs statements as an administrator, one after the other. */
export async function runStatements(url: string, statements: readonly string[]): Promise<void> {
  const connection = await mysql.createConnection({ uri: url, charset: 'utf8mb4' })
  try {
    for (const statement of statements) await connection.query(statement)
  } finally {
    await connection.end()
  }
}

/** An address with another user, password or database. */
export function withAccount(
  url: string,
  account: { user?: string; password?: string; database?: string },
): string {
  const changed = new URL(url)
  if (account.user !== undefined) changed.username = encodeURIComponent(account.user)
  if (account.password !== undefined) changed.password = encodeURIComponent(account.password)
  if (account.database !== undefined) changed.pathname = `/${encodeURIComponent(account.database)}`
  return changed.href
}

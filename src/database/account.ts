import { readFile } from 'node:fs/promises'
import { parseDatabaseUrl } from '../values/addresses.js'
import type { DatabaseAddress } from '../values/addresses.js'

type Credentials = Pick<DatabaseAddress, 'user' | 'password'>

/** The account of all new sessions of a database. It can change while the service runs. */
export interface Account {
  readonly current: () => Credentials
  readonly use: (credentials: Credentials) => void
  /**
   * Reads the file of the address again, where there is one.
   *
   * @param refused what the server did not accept. @returns whether the account is another one now.
   */
  readonly refresh: (refused: Credentials) => Promise<boolean>
}

/**
 * The account of an address.
 *
 * @param onRefreshed called after the file had another account.
 */
export function createAccount(
  { user, password, urlFile }: Credentials & { readonly urlFile: string | undefined },
  onRefreshed: () => void = () => undefined,
): Account {
  let current: Credentials = { user, password }
  const use: Account['use'] = ({ user: nextUser, password: nextPassword }) => {
    current = { user: nextUser, password: nextPassword }
  }
  return {
    current: () => current,
    use,
    refresh: async (refused) => {
      const found = urlFile === undefined ? undefined : await readAddress(urlFile)
      if (found !== undefined && !isSame(found, current)) {
        use(found)
        onRefreshed()
      }
      return !isSame(current, refused)
    },
  }
}

/** Undefined for a file that cannot be used, as while it is being written: the server's error is the one to report. */
async function readAddress(file: string): Promise<DatabaseAddress | undefined> {
  try {
    return parseDatabaseUrl((await readFile(file, 'utf8')).trim())
  } catch {
    return undefined
  }
}

function isSame(one: Credentials, other: Credentials): boolean {
  return one.user === other.user && one.password === other.password
}

import { quoteText } from '../database/quote.js'

/**
 * For an administrator: the accounts whose grants on schemas may count for a user of this name, by any host. The
 * servers add such grants where the host fits, and list them in no SHOW GRANTS of the user.
 */
export function renderSameName(user: string): string {
  return `SELECT user, host FROM mysql.user WHERE user IN (${quoteText(user)}, '');`
}

/** The name of an account as statements write it, such as `vitrine`@`%` in backticks. */
export function toUserName(account: string): string {
  return account.slice(1, account.lastIndexOf('`@`')).replaceAll('``', '`')
}

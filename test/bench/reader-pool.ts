import mysql from 'mysql2/promise'

/** The connections of Vitrine's own pool by default; all that is measured has as many. */
export const poolSize = 10

/** The driver as Vitrine sets it: times and big numbers stay text. */
export function createReaderPool(): mysql.Pool {
  return mysql.createPool({
    uri: process.env['DATABASE_URL'] ?? '',
    charset: 'utf8mb4',
    connectionLimit: poolSize,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
  })
}

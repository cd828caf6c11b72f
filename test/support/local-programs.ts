import { inject } from 'vitest'
import { findProgramIn, findServerProgram } from '../product/local-server.js'
import type { Program } from '../product/local-server.js'

/** Where `.ci/mysql.sh` puts a MySQL. */
const mysqlFolder = process.env['CI_MYSQL_DIR'] ?? '/var/cache/vitrine-mysql'
const local = findServerProgram()

/** The server programs that tests may start themselves, each undefined where this machine has none. */
export const localPrograms: Readonly<Record<'MariaDB' | 'MySQL', Program | undefined>> = {
  MariaDB: local?.isMariaDb === true ? local : undefined,
  MySQL: local?.isMariaDb === false ? local : findProgramIn(mysqlFolder),
}

/** A program like the server of the run, undefined where this machine has none: a run on each server tests each. */
export function findProgramOfRun(): Program | undefined {
  const { isMariaDb, origin } = inject('server')
  const program = localPrograms[isMariaDb ? 'MariaDB' : 'MySQL']
  if (program === undefined) process.stderr.write(`Skipped: no program on this machine like ${origin}\n`)
  return program
}

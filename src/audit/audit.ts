import type { Schema } from '../db/read-schema.js'
import type { RunQuery } from '../db/statement.js'
import type { Fault } from '../errors.js'
import { listMappedTables } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Finding } from './finding.js'
import { judgeNullability, toSchemaFindings } from './judge-columns.js'
import { judgeGrants } from './judge-grants.js'
import { judgeReach } from './judge-reach.js'
import { judgeViews } from './judge-views.js'
import type { Privileges } from './privileges.js'
import { readPrivileges } from './read-privileges.js'
import { readViews } from './read-views.js'
import type { ViewFacts } from './read-views.js'

/** What the audit learned of one host. */
export interface HostFacts {
  readonly privileges: Privileges
  readonly views: readonly ViewFacts[]
}

/**
 * What the audit judges, read from the live server.
 *
 * @param ask runs statements on a session of its own, whose roles are changed.
 */
export async function readHostFacts(mapping: Mapping, ask: RunQuery): Promise<HostFacts> {
  const privileges = await readPrivileges(ask)
  const views = await readViews(ask, {
    database: privileges.database,
    casedTables: privileges.casedTables,
    tables: listMappedTables(mapping),
    // A table that neverRead names in full is one whose columns the patterns tell.
    isTable: ({ database, name }) =>
      database === privileges.database &&
      mapping.neverRead.some((pattern) => pattern.slice(0, pattern.indexOf('.')) === name),
  })
  return { privileges, views }
}

interface AuditInput {
  readonly mapping: Mapping
  readonly schema: Schema
  /** What the mapping and the schema disagree on. */
  readonly faults: readonly Fault[]
  readonly hosts: readonly HostFacts[]
}

/** Every finding of the walls, each once, errors first. Source: `design.md`, section 5. */
export function judge({ mapping, schema, faults, hosts }: AuditInput): readonly Finding[] {
  const findings = [
    ...hosts.flatMap(({ privileges, views }) => {
      const grants = judgeGrants(mapping, privileges)
      return [
        ...grants,
        ...judgeReach(mapping, privileges, grants),
        ...judgeViews(
          mapping,
          // Where nothing of a table can be read, one finding says so already.
          views.filter(({ name, mapped, text }) => text !== null || !mapped || schema.has(name)),
          privileges.account,
        ),
        ...toSchemaFindings(faults, mapping, { schema, privileges }),
      ]
    }),
    ...judgeNullability(mapping, schema),
  ]
  const unique = [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()]
  return [
    ...unique.filter(({ severity }) => severity === 'error'),
    ...unique.filter(({ severity }) => severity === 'warning'),
  ]
}

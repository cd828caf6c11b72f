import type { Schema } from '../database/read-schema.js'
import type { RunQuery } from '../database/statement.js'
import type { ConfigIssue } from '../errors.js'
import { listMappedTables } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Finding } from './finding.js'
import { judgeNullability, toSchemaFindings } from './judge-columns.js'
import { judgeComputed } from './judge-computed.js'
import { judgeGrants } from './judge-grants.js'
import { judgeReach } from './judge-reach.js'
import { judgeViews } from './judge-views.js'
import type { Privileges } from './privileges.js'
import { readPrivileges } from './read-privileges.js'
import { readObjects } from './read-objects.js'
import type { ObjectFacts } from './read-objects.js'

/** What the audit learned of one host. */
export interface HostFacts {
  readonly privileges: Privileges
  /** The mapping's tables and views, and what the views read. */
  readonly objects: readonly ObjectFacts[]
}

/**
 * What the audit judges, read from the live server.
 *
 * @param ask runs statements on a session of its own, whose roles are changed.
 */
export async function readHostFacts(mapping: Mapping, ask: RunQuery): Promise<HostFacts> {
  const privileges = await readPrivileges(ask)
  const objects = await readObjects(ask, {
    database: privileges.database,
    casedTables: privileges.casedTables,
    tables: listMappedTables(mapping),
  })
  return { privileges, objects }
}

interface AuditInput {
  readonly mapping: Mapping
  readonly schema: Schema
  /** What the mapping and the schema disagree on. */
  readonly faults: readonly ConfigIssue[]
  readonly hosts: readonly HostFacts[]
}

/** Every finding of the audit, each once, errors first. Source: `docs/contract.md`, "Safeguards". */
export function judge({ mapping, schema, faults, hosts }: AuditInput): readonly Finding[] {
  const findings = [
    ...hosts.flatMap(({ privileges, objects }) => {
      const grants = judgeGrants(mapping, privileges)
      return [
        ...grants,
        ...judgeReach(mapping, privileges, grants),
        ...judgeComputed(mapping, privileges, objects),
        ...judgeViews(
          mapping,
          // Where nothing of a table can be read, one finding says so already.
          objects.filter(
            ({ name, mapped, definition }) => definition.kind !== 'unseen' || !mapped || schema.has(name),
          ),
          privileges,
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

import { todo } from './candidate.js'
import type { Candidate, MappingValue } from './candidate.js'
import { describeColumn } from './column-rule.js'
import { findColumn, isUnique } from './description.js'
import type { DescribedTable } from './description.js'
import { verifyUuid } from './events.js'
import type { Section, SectionInput } from './section.js'
import { findVisibility } from './visibility.js'
import type { TypeWords } from './visibility.js'

/** What a section says before its fields, and the id of its records. */
interface ChosenRows {
  readonly section: Section
  readonly id: MappingValue
}

/** Chooses the rows of a section: its tenant, the type of its rows, what archives them, and their id. */
export async function chooseRows(input: SectionInput, name: string, words: TypeWords): Promise<ChosenRows> {
  const { table, readCodes, recorder, workspaces } = input
  const visibility = await findVisibility(table, words, readCodes)
  const { where, archived, reasons, verify } = visibility
  if (where.length > 0 || verify !== undefined) {
    recorder.keep({
      path: `${name}.where`,
      wanted: 'the rows that belong to the collection',
      value: where,
      reasons: reasons.where,
      runnersUp: [],
      ...(verify === undefined ? {} : { undecided: verify }),
    })
  }
  const workspace = await recorder.choose({
    path: `${name}.workspace`,
    wanted: 'the tenant that a row belongs to',
    candidates: workspaces,
  })
  recorder.keep({
    path: `${name}.archived`,
    wanted: 'what makes a record archived',
    value: archived,
    reasons: reasons.archived,
    runnersUp: [],
  })
  const id = await recorder.choose({
    path: `${name}.fields.id`,
    wanted: 'a column that identifies a record',
    candidates: listIds(table),
  })
  return {
    section: {
      table: table.name,
      ...(where.length > 0 ? { where } : {}),
      workspace: workspace ?? todo,
      archived: archived.length === 1 && archived[0] !== undefined ? archived[0] : archived,
    },
    id: id ?? todo,
  }
}

/** The primary key of one column, or another unique column. */
function listIds(table: DescribedTable): readonly Candidate[] {
  const [primary, ...others] = table.primary
  const names = [
    ...(primary !== undefined && others.length === 0 ? [primary] : []),
    ...table.columns.filter(({ nullable }) => !nullable || table.isView).map(({ name }) => name),
  ]
  return [...new Set(names)].flatMap((name): Candidate[] => {
    const column = findColumn(table, name)
    if (column === undefined || !['integer', 'text', 'binary'].includes(column.kind)) return []
    const isPrimary = name === primary
    const isId = table.isView && /^id$/i.test(name)
    if (!isPrimary && !isId && !isUnique(table, name)) return []
    const reason = isPrimary ? 'the primary key' : isId ? 'its name' : 'a unique index'
    return [
      {
        value: column.name,
        label: `${table.name}.${column.name}`,
        score: isPrimary ? 10 : 5,
        reasons: [reason, describeColumn(column)],
        ...verifyUuid(column),
      },
    ]
  })
}

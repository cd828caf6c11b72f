import type { Table } from '../../src/database/column.js'
import type { Schema } from '../../src/database/schema.js'
import type { Row, RunQuery } from '../../src/database/statement.js'

/** A database that has a schema and no rows, as far as the comparison of schemas asks it. */
export interface LiveSchema {
  readonly runQuery: RunQuery
  /** The schema that it describes from now on. */
  readonly change: (schema: Schema) => void
  /** Fails each later statement; undefined ends it. */
  readonly fail: (error: Error | undefined) => void
  /** How often the columns and indexes of all mapped tables were read. */
  readonly countComparisons: () => number
}

/** Starts with a schema. */
export function createLiveSchema(started: Schema): LiveSchema {
  let [schema, failure, comparisons] = [started, undefined as Error | undefined, 0]
  return {
    runQuery: ({ sql }) => {
      if (failure !== undefined) return Promise.reject(failure)
      const tables = [...schema.values()].filter(({ name }) => sql.includes(`'${name}'`))
      if (sql.includes('information_schema`.`columns'))
        return Promise.resolve(tables.flatMap(describeColumns))
      if (sql.includes('collation(')) return Promise.resolve([describeTypes([...schema.values()], sql)])
      if (sql.includes('information_schema`.`tables'))
        return Promise.resolve(
          tables.map(({ name, isView }) => ({ tableName: name, type: isView ? 'VIEW' : 'BASE TABLE' })),
        )
      if (!sql.includes('information_schema`.`statistics')) return Promise.resolve([])
      comparisons += 1
      return Promise.resolve(tables.flatMap(describeIndexes))
    },
    change: (next) => {
      schema = next
    },
    fail: (error) => {
      failure = error
    },
    countComparisons: () => comparisons,
  }
}

function describeColumns({ name: tableName, columns }: Table): readonly Row[] {
  return [...columns.values()].map(({ name, type, nullable, ...rest }) => ({
    tableName,
    name,
    dataType: /^\w+/.exec(type)?.[0],
    columnType: type,
    nullable: nullable ? 'YES' : 'NO',
    length: rest.length,
    fractionDigits: rest.fractionDigits,
    characterSet: rest.characterSet,
    collation: rest.collation,
  }))
}

/** The types of the columns that a statement names. */
function describeTypes(tables: readonly Table[], sql: string): Row {
  const columns = tables.flatMap(({ name: table, columns }) =>
    [...columns.values()].map((column) => ({ table, ...column })),
  )
  const named = columns.filter(({ table, name }) => sql.includes(`collation(\`${table}\`.\`${name}\`)`))
  return { types: JSON.stringify(named), collations: '', clock: '2026-03-01 09:30:00.000000' }
}

function describeIndexes({ name: tableName, indexes }: Table): readonly Row[] {
  return indexes.flatMap(({ name, columns, uniqueOn }) =>
    columns.map((columnName) => ({
      tableName,
      name,
      columnName,
      partName: columnName,
      nonUnique: uniqueOn === undefined ? 1 : 0,
    })),
  )
}

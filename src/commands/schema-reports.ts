import type { Logger } from 'pino'
import type { SchemaEvent } from './schema-state.js'

/** Writes one line for each thing that happened to a section of the mapping while the service ran. */
export function logSchemaEvent(log: Logger, event: SchemaEvent): void {
  const { section, table } = event
  switch (event.is) {
    case 'broken':
      log.error(
        { section, table, issues: event.issues },
        'the database does not fit the mapping any more: requests get 503 until the schema or the mapping file is corrected, or vitrine grants is run again',
      )
      break
    case 'recovered':
      log.info({ section, table }, 'the database fits the mapping again')
      break
    case 'resolved anew':
      log.info({ section, table }, 'the schema changed; statements are made anew')
      break
    case 'without paging index':
      log.warn(
        { section, table, index: event.index },
        'an index is gone: each page now sorts the whole workspace; vitrine check prints the index to add',
      )
      break
  }
}

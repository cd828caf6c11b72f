import { readFile } from 'node:fs/promises'
import { escapeUnprintable } from '../../client/printable.js'
import { parseConfig } from '../../config.js'
import { openDatabase } from '../../mapping/load-configuration.js'
import { readFacts } from '../facts/read-facts.js'
import { renderFacts, toReport } from '../facts/render-facts.js'
import { toPrintableTexts } from '../../values/printable.js'
import type { Variables } from './command.js'

/** What an assistant does with the facts; it ships with the package. */
const instructionsFile = new URL('../../../docs/mapping-with-an-assistant.md', import.meta.url)

/** The facts of the database of `DATABASE_URL`, and behind them the instructions for an assistant. @throws ConfigError, Problem */
export async function printFacts(variables: Variables, isJson: boolean): Promise<string> {
  const instructions = await readFile(instructionsFile, 'utf8')
  const database = await openDatabase(parseConfig({ ...variables, MAPPING_FILE: '' }))
  try {
    const facts = await readFacts(database.runCheckQuery)
    if (isJson) return `${JSON.stringify({ ...toPrintableTexts(toReport(facts)), instructions }, null, 2)}\n`
    return `${renderFacts(facts).split('\n').map(escapeUnprintable).join('\n')}\n${instructions}`
  } finally {
    await database.close()
  }
}

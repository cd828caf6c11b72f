import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { installTools } from '../support/foreign-tools.js'
import type { ForeignTools } from '../support/foreign-tools.js'

/** The files of the model. */
export const modelFiles = ['rules.qnt', 'protocol.qnt', 'trace.qnt', 'check-trace.mjs'] as const

/** What is wrong with a trace: the rule, the reader, and the id of the record. */
export type Mistake = readonly [rule: string, reader: number, id: number]

/** Installs Quint, with the model beside it. */
export async function installModel(): Promise<ForeignTools> {
  const tools = await installTools(import.meta.dirname)
  for (const file of modelFiles) await cp(join(import.meta.dirname, file), join(tools.folder, file))
  return tools
}

/** Checks a trace by the rules of the model: a state of `trace.qnt` in the Informal Trace Format. */
export async function checkTrace(tools: ForeignTools, state: object): Promise<readonly Mistake[]> {
  await tools.write('trace.itf.json', JSON.stringify({ states: [state] }))
  return JSON.parse(await tools.runScript('check-trace.mjs', 'trace.itf.json')) as readonly Mistake[]
}

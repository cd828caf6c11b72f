import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { installTools } from '../support/foreign-tools.js'
import type { ForeignTools } from '../support/foreign-tools.js'

/** The files of the model. */
export const modelFiles = ['rules.qnt', 'protocol.qnt'] as const

/** Installs Quint, with the model beside it. */
export async function installModel(): Promise<ForeignTools> {
  const tools = await installTools(import.meta.dirname)
  for (const file of modelFiles) await cp(join(import.meta.dirname, file), join(tools.folder, file))
  return tools
}

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findSection, runCheck } from './checking.js'
import { makeFolder } from './folder.js'

const folder = makeFolder()
let files = 0

/** The findings about a mapping, by an administrator's account, as a product team would run it first. */
export async function proveMapping(
  url: string,
  mapping: string,
): Promise<{ errors: readonly string[]; all: readonly string[] }> {
  const mappingFile = join(folder, `${(files += 1)}.yaml`)
  await writeFile(mappingFile, mapping)
  const { findings } = findSection(await runCheck({ readUrl: url, mappingFile }), 'contradictions')
  const toText = ({ severity, object, problem }: (typeof findings)[number]): string =>
    `${severity} ${object}: ${problem}`
  const all = findings.map(toText)
  return { errors: all.filter((line) => line.startsWith('error')), all }
}

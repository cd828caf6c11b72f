import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Janitor } from './janitor.js'
import type { Mapping } from './mapping.js'
import { readSource, toFileName } from './text-source.js'
import type { TextSource } from './text-source.js'

/** A mapping file, its text, or what it says as an object. */
export type MappingSource = TextSource | Mapping

/** The name of a file that holds the mapping; the janitor removes one that is written here. */
export async function toMappingFile(source: MappingSource, janitor: Pick<Janitor, 'add'>): Promise<string> {
  const isText = typeof source === 'string' || source instanceof URL || 'text' in source
  // Every JSON text is YAML.
  const text = isText ? (await readSource(source, 'mapping')).text : JSON.stringify(source, null, 2)
  const given = isText ? toFileName(source) : undefined
  if (given !== undefined) return given
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-mapping-'))
  janitor.add({ do: 'remove', path: folder })
  const file = join(folder, 'mapping.yaml')
  await writeFile(file, text)
  return file
}

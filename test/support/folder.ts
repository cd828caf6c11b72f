import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterFile } from './after-file.js'

/** Makes an empty folder; it is removed when the test file is done. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-test-'))
  afterFile(() => {
    rmSync(folder, { recursive: true })
  })
  return folder
}

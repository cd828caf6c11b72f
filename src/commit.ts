import { readFileSync } from 'node:fs'

/** The commit that this was built from, with `-dirty` for changes beside it; `unknown` where the build had none. */
export function readCommit(): string {
  try {
    return readFileSync(new URL('../dist/commit.txt', import.meta.url), 'utf8').trim() || 'unknown'
  } catch {
    return 'unknown'
  }
}

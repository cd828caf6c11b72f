import { readFileSync, readdirSync } from 'node:fs'

/** README and the pages of docs, by their file name. */
export const pages: ReadonlyMap<string, string> = new Map(
  [
    'README.md',
    ...readdirSync('docs')
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ].map((file) => [file, readFileSync(file, 'utf8')]),
)

/** The texts of the blocks of a language, in all pages or in one. */
export function listBlocks(language: string, file?: string): readonly string[] {
  const texts = file === undefined ? [...pages.values()] : [pages.get(file) ?? '']
  const block = new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm')
  return texts.flatMap((page) => [...page.matchAll(block)].map(([, content = '']) => content))
}

/** The lines of blocks, without those that are empty. */
export function listLines(blocks: readonly string[]): readonly string[] {
  return blocks.flatMap((block) =>
    block
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  )
}

/** The blocks of a page that are files: the text before each names it, as in "The rows, `test/rows.sql`:". */
export function readNamedBlocks(file: string): ReadonlyMap<string, string> {
  const parts = (pages.get(file) ?? '').split(/^```\w*\n/m)
  const blocks = new Map<string, string>()
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const name = /`((?:\w+\/)?[\w.]+\.(?:sql|ts|mjs|yaml))`/.exec(parts[at] ?? '')?.[1]
    if (name !== undefined) blocks.set(name, parts[at + 1] ?? '')
  }
  return blocks
}

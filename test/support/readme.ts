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
  const block = new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm')
  const texts = file === undefined ? [...pages.values()] : [pages.get(file) ?? '']
  return texts.flatMap((page) => [...page.matchAll(block)].map(([, text = '']) => text))
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

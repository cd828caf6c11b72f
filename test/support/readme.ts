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

/** The texts of the blocks of a language, in all pages. */
export function listBlocks(language: string): readonly string[] {
  const block = new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm')
  return [...pages.values()].flatMap((page) => [...page.matchAll(block)].map(([, text = '']) => text))
}

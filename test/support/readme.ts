import { readFileSync } from 'node:fs'

const readme = readFileSync('README.md', 'utf8')

/** The texts of README's blocks of a language. */
export function listBlocks(language: string): readonly string[] {
  return [...readme.matchAll(new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  )
}

import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

test.each(readdirSync('test/connect/recipes'))('docs/connect.md has the recipe that is run: %s', (file) => {
  const page = readFileSync('docs/connect.md', 'utf8')
  expect(page).toContain(`\n${readFileSync(`test/connect/recipes/${file}`, 'utf8')}\`\`\``)
})

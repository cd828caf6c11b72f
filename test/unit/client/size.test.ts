import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

test('the client has less than 12,200 bytes minified, and its mirror at most 4,900 more, which it loads when it is used', async () => {
  const bundle = await rolldown({ input: 'src/client/index.ts', platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const chunks = new Map(output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one]] : [])))
  const isMirror = (name: string): boolean => name.startsWith('mirror')
  const count = (names: readonly string[]): number =>
    names.reduce((bytes, name) => bytes + Buffer.byteLength(chunks.get(name)?.code ?? ''), 0)
  const names = [...chunks.keys()]
  const imports = [...chunks.values()].flatMap((one) => one.imports)
  // Of its own chunks only.
  expect(imports.filter((name) => !names.includes(name))).toEqual([])
  expect(names.filter(isMirror)).toHaveLength(1)
  expect(count(names.filter((name) => !isMirror(name)))).toBeLessThan(12_200)
  expect(count(names.filter(isMirror))).toBeLessThanOrEqual(4900)
})

import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

test('the client is one file of less than 17,500 bytes minified', async () => {
  const bundle = await rolldown({ input: 'src/client/index.ts', platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const chunks = output.filter((one) => one.type === 'chunk')
  expect(chunks.map(({ imports }) => imports)).toEqual([[]])
  expect(Buffer.byteLength(chunks[0]!.code)).toBeLessThan(17_500)
})

import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

test('the client is at most 12 KB as one minified bundle, with no import', async () => {
  const bundle = await rolldown({ input: 'src/client/index.ts', platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  expect(output).toHaveLength(1)
  expect(output[0].imports).toEqual([])
  expect(Buffer.byteLength(output[0].code)).toBeLessThanOrEqual(12 * 1024)
})

import { expect, test, vi } from 'vitest'
import { startContainer } from '../../product/container.js'

type Load = NonNullable<Parameters<typeof startContainer>[1]>

const janitor = { add: () => () => undefined }
const fail = (message: string) => () => Promise.reject(new Error(message))
const absent = () => Promise.reject(Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' }))
/** testcontainers as far as it is asked. */
const load = (parts: object) => () => Promise.resolve(parts as Awaited<ReturnType<Load>>)
const engine = { getContainerRuntimeClient: () => Promise.resolve({}) }

test.each<[string, Load, RegExp]>([
  ['testcontainers is not installed', absent, /the package testcontainers is not installed/],
  ['testcontainers does not load', fail('wants Node 22'), /does not load: wants Node 22/],
  [
    'no engine answers',
    load({ getContainerRuntimeClient: fail('no socket') }),
    /no Docker engine answers: no socket/,
  ],
  [
    'the image of Ryuk cannot be had',
    load({ ...engine, getReaper: fail('no registry') }),
    /testcontainers\/ryuk, .* no registry; .*RYUK_CONTAINER_IMAGE, .*TESTCONTAINERS_RYUK_DISABLED=true/,
  ],
])('MYSQL_IMAGE is an error that names the cause where %s', async (_, given, text) => {
  vi.stubEnv('MYSQL_IMAGE', 'mysql:9.7')
  await expect(startContainer(janitor, given)).rejects.toThrow(text)
  await expect(startContainer(janitor, given)).rejects.toThrow(/^MYSQL_IMAGE=mysql:9\.7 cannot be used: /)
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  vi.stubEnv('MYSQL_IMAGE', '')
  expect(await startContainer(janitor, given)).toBeUndefined()
  written.mockRestore()
  vi.unstubAllEnvs()
})

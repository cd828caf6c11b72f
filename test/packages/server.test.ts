import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { createEmptyFolder, runIn } from '../support/empty-folder.js'
import type { EmptyFolder } from '../support/empty-folder.js'
import { listExpected } from '../support/expected.js'
import { useThrowaway } from '../support/service.js'
import { startServing } from '../support/vitrine.js'

const throwaway = useThrowaway()
let operator: EmptyFolder

beforeAll(async () => {
  operator = await createEmptyFolder()
  await runIn('.', 'npm pack', { npm_config_pack_destination: operator.folder })
  // The oldest Node that is promised, with the npm that comes with it.
  const npm = `npx -y -p node@20 -p npm@10 npm --cache ${operator.cache}`
  await runIn(operator.folder, `${npm} install --engine-strict ./vitrine-*.tgz`)
})

test('the tarball holds what the service needs, and the package of integrators as one file, without sources', async () => {
  const files = (await operator.run('tar -tzf vitrine-*.tgz')).trimEnd().split('\n')
  const unexpected =
    /\.map$|vitrine-(client(?!\.tgz)|pull\.js)|api\/docs\/pages|^package\/(src|dist\/(?!testing\/).*\.d\.ts$)|(?<!\.d)\.ts$/
  expect(files.filter((file) => unexpected.test(file))).toEqual([])
  for (const file of ['config/mapping.yaml', 'dist/vitrine-client.tgz'])
    expect(files).toContain(`package/${file}`)
  expect(Number(await operator.run('cat vitrine-*.tgz | wc -c'))).toBeLessThan(600_000)
})

test('commands run from the installed package, which holds an example of a mapping file', async () => {
  expect(await operator.run('npx vitrine --help')).toContain('vitrine serve')
  const env = { MAPPING_FILE: 'node_modules/vitrine/config/mapping.yaml' }
  expect(JSON.parse(await operator.run('npx vitrine openapi', env))).toMatchObject({ openapi: '3.1.0' })
  expect(await operator.run('npx vitrine grants --user u --host h', env)).toContain('GRANT SELECT')
})

test('the installed service answers with records, and with its documentation', async () => {
  const database = await throwaway.createProduct('plain', { registrations: 50 })
  const program = join(operator.folder, 'node_modules/vitrine/dist/cli.js')
  const { api } = await startServing(database, {}, { program })
  const headers = { authorization: `Bearer ${keys.both}` }
  const page = await fetch(`${api}/api/public/v1/registrations?limit=100`, { headers })
  expect(((await page.json()) as { data: unknown }).data).toEqual(
    listExpected(database, 'registrations').map(({ view }) => view),
  )
  // Each is read from files of the package; test/database/docs.test.ts follows every link.
  for (const path of ['docs', 'docs/errors', 'docs/assets/docs.js', 'docs/search.json', 'llms.txt'])
    expect([path, (await fetch(`${api}/${path}`)).status]).toEqual([path, 200])
  expect((await fetch(`${api}/docs/vitrine-client.tgz`)).status).toBe(200)
})

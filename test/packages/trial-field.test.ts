import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createEmptyFolder, runIn } from '../support/empty-folder.js'
import type { EmptyFolder } from '../support/empty-folder.js'
import { json, startScript } from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'

/** A checkout whose declaration of the registrations has one more field. */
let trial: EmptyFolder

beforeAll(async () => {
  trial = await createEmptyFolder()
  const parts = ['src', '.ci', 'config', 'package.json', 'LICENSE', 'tsconfig.json']
  for (const name of parts) await cp(name, join(trial.folder, name), { recursive: true })
  await symlink(resolve('node_modules'), join(trial.folder, 'node_modules'))
  const declaration = join(trial.folder, 'src/collections/registrations.ts')
  const text = (await readFile(declaration, 'utf8')).replace(
    /^ {4}checkedIn: flag/m,
    `    company: text({ description: 'The company.', example: 'ACME', nullable: true }),\n$&`,
  )
  await writeFile(declaration, text)
  await trial.run('node .ci/generate-records.mjs && node .ci/build-client.mjs')
})

test('a union with null is such a field too; a type that the client cannot have is an error that names the field', async () => {
  const file = join(trial.folder, 'src/collections/field-kinds.ts')
  const records = join(trial.folder, 'src/client/records.ts')
  const [kinds, before] = [await readFile(file, 'utf8'), await readFile(records, 'utf8')]
  const generate = async (schema: string) => {
    const changed = kinds.replace(/Type\.Unsafe<Nullable extends[^]*?\}\),/, `${schema},`)
    expect(changed).not.toBe(kinds)
    await writeFile(file, changed)
    await trial.run('node .ci/generate-records.mjs')
  }
  await generate('Type.Union([Type.String(), Type.Null()], { description })')
  expect(await readFile(records, 'utf8')).toContain('readonly company: string | null\n')
  await expect(generate('Type.Number({ description })')).rejects.toThrow('registrations.email: a field is')
  await writeFile(file, kinds)
  await trial.run('node .ci/generate-records.mjs')
  expect(await readFile(records, 'utf8')).toBe(before)
})

const time = '2026-03-01T09:00:00.000Z'
const old = (id: string) => {
  const rest = { eventId: 'E', status: 'S', name: 'n', email: 'e', checkedIn: false, checkedInAt: null }
  return { id, ...rest, createdAt: time, updatedAt: time }
}
const page = (...data: readonly object[]): Script =>
  json({ data, meta: { cursor: null, nextUpdatedSince: time } })

test('the client, its types and the OpenAPI document follow from the declaration of a field', async () => {
  const types = await readFile(join(trial.folder, 'dist/vitrine-client/client/records.d.ts'), 'utf8')
  expect(types).toContain('/** The company. */\n    readonly company: string | null;')
  const mapping = await readFile('config/mapping.yaml', 'utf8')
  // A mapping file of the release before keeps working.
  await trial.write('before.yaml', mapping)
  const without = await trial.run('node --import jiti/register src/cli.ts grants --user u --host h', {
    MAPPING_FILE: 'before.yaml',
  })
  expect(without).not.toContain('`company`')
  await trial.write('mapping.yaml', mapping.replace(/^ {4}checkedIn: /m, '    company: company\n$&'))
  const cli = 'node --import jiti/register src/cli.ts'
  const printed = await trial.run(`${cli} openapi`, { MAPPING_FILE: 'mapping.yaml' })
  expect(JSON.parse(printed)).toMatchObject({
    components: { schemas: { Registration: { properties: { company: { type: ['string', 'null'] } } } } },
  })
  expect(await trial.run(`${cli} grants --user u --host h`, { MAPPING_FILE: 'mapping.yaml' })).toContain(
    '`company`',
  )
})

test('an SQLite copy of the release before gets the column, and its values with each change or --full', async () => {
  const scripts = [
    page(old('a'), old('b')),
    page({ ...old('b'), company: 'B' }),
    page({ ...old('a'), company: 'A' }, { ...old('b'), company: 'B' }),
  ]
  const { url } = await startScript(...scripts)
  const node = 'npx -y -p node@22 node'
  const pull = (program: string, flags = '') =>
    runIn(
      trial.folder,
      `${node} ${program} registrations --url ${url} --key-env K --to copy.sqlite ${flags}`,
      {
        K: 'k',
      },
    )
  const code = `const database = new (process.getBuiltinModule('node:sqlite').DatabaseSync)('copy.sqlite')
    console.log(JSON.stringify(database.prepare('SELECT id, company, checkedIn FROM registrations ORDER BY id').all()))`
  await trial.write('read.cjs', code)
  const read = async () => JSON.parse(await runIn(trial.folder, `${node} read.cjs`)) as unknown
  await pull(resolve('dist/vitrine-client/vitrine-pull.js'))
  await pull('dist/vitrine-client/vitrine-pull.js')
  const [a, b] = ['a', 'b'].map((id) => ({ id, checkedIn: 0 }))
  expect(await read()).toEqual([
    { ...a, company: null },
    { ...b, company: 'B' },
  ])
  await pull('dist/vitrine-client/vitrine-pull.js', '--full')
  expect(await read()).toEqual([
    { ...a, company: 'A' },
    { ...b, company: 'B' },
  ])
})

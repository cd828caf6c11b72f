// `npm run connect`: runs the recipes of docs/connect.md with the tools of others. `--install` installs those of `pip` in
// versions.yaml into CONNECT_HOME; what is not installed is skipped with a sentence. Names of tools limit the run.
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { keys, startThrowaway, startVitrine } from 'vitrine/testing'
import { parse } from 'yaml'
import { runSync } from './sync.mjs'

const run = promisify(execFile)
const home = process.env.CONNECT_HOME ?? '/tmp/vitrine-connect'
const at = (name) => fileURLToPath(new URL(name, import.meta.url))
const python = join(home, 'python/bin/python')
const schemathesis = join(home, 'python/bin/st')
const airbyte = join(home, 'airbyte/bin/source-declarative-manifest')
const n8n = join(home, 'n8n')

/** Reads a copy with Python, which prints its records as JSON. */
const readWith = (program) => async (folder) => {
  const { stdout } = await run(python, ['-c', program], { cwd: folder, maxBuffer: 1e9 })
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

const readCopy = async (folder) => JSON.parse(await readFile(join(folder, 'copy.json'), 'utf8'))

const readDuckdb = `
import duckdb, json
for id, name, time in duckdb.connect("vitrine.duckdb").execute("set timezone = 'UTC'; select id, name, updated_at from event_data.registrations").fetchall():
    print(json.dumps({"id": id, "name": name, "updatedAt": time.strftime("%Y-%m-%dT%H:%M:%S.%f")}))
`
const syncs = [
  {
    name: 'dlt',
    needs: python,
    command: (mode) => [python, at('recipes/dlt_sync.py'), mode],
    read: readWith(readDuckdb),
  },
  {
    name: 'airbyte',
    needs: airbyte,
    command: (mode) => [process.execPath, at('airbyte.mjs'), airbyte, at('recipes/airbyte.yaml'), mode],
    read: readCopy,
  },
  {
    name: 'n8n',
    needs: n8n,
    command: (mode) => [process.execPath, at('n8n.mjs'), n8n, at('recipes/n8n.json'), mode],
    read: readCopy,
  },
]

/** Contract tests with requests that are drawn from the document. */
async function testContract(throwaway) {
  const { readUrl, mappingFile } = await throwaway.createProduct('plain')
  const vitrine = await startVitrine({ databaseUrl: readUrl, mapping: mappingFile })
  const { status } = spawnSync(
    schemathesis,
    [
      ...['--config-file', at('schemathesis.toml'), 'run', `${vitrine.url}/api/public/v1/openapi.json`],
      ...['-H', `Authorization: Bearer ${keys.both}`, '--checks', 'all', '-n', '15', '--max-time', '120'],
      ...['--phases', 'examples,coverage,fuzzing'],
    ],
    { cwd: home, stdio: 'inherit' },
  )
  await vitrine.stop()
  if (status !== 0) process.exitCode = 1
}

const { values, positionals } = parseArgs({
  options: { install: { type: 'boolean' } },
  allowPositionals: true,
})
if (values.install)
  for (const [name, packages] of Object.entries(parse(readFileSync(at('versions.yaml'), 'utf8')).pip)) {
    await run('python3', ['-m', 'venv', join(home, name)])
    await run(join(home, name, 'bin/pip'), ['install', '--quiet', ...packages])
  }
const isWanted = ({ name, needs }) => {
  if (positionals.length > 0 && !positionals.includes(name)) return false
  if (existsSync(needs)) return true
  console.log(`${name} is skipped: ${needs} does not exist; see test/connect/versions.yaml`)
  return false
}
const throwaway = await startThrowaway()
try {
  for (const tool of syncs.filter(isWanted)) {
    const steps = await runSync(throwaway, tool)
    console.table(steps)
    if (steps.some((step) => step.isWrong)) process.exitCode = 1
  }
  if (isWanted({ name: 'schemathesis', needs: schemathesis })) await testContract(throwaway)
} finally {
  await throwaway.stop()
}

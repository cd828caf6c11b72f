// Runs the workflow as an active one runs: n8n keeps its state, and its last node has the records.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const [program, workflow, mode] = process.argv.slice(2)
const run = (...args) => spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1e9 })
const isFull = mode === 'full' || !existsSync('copy.json')
const credential = { name: 'Vitrine', type: 'httpBearerAuth', data: { token: process.env.VITRINE_KEY } }
writeFileSync('credentials.json', JSON.stringify([{ id: 'vitrineKey000001', ...credential }]))
run('import:credentials', '--input=credentials.json')
// An import removes the state.
if (isFull) run('import:workflow', `--input=${workflow}`)
const { id } = JSON.parse(readFileSync(workflow, 'utf8'))
const { stdout, stderr } = run('execute', `--id=${id}`, '--rawOutput')
const { status, data } = JSON.parse(stdout.slice(stdout.indexOf('{\n')))
if (status !== 'success') {
  process.stderr.write(stderr + JSON.stringify(data.resultData.error))
  process.exit(1)
}
const copy = new Map(isFull ? [] : JSON.parse(readFileSync('copy.json', 'utf8')).map((one) => [one.id, one]))
for (const { json } of data.resultData.runData.Records[0].data.main[0]) copy.set(json.id, json)
writeFileSync('copy.json', JSON.stringify([...copy.values()]))

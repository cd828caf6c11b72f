import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startVitrine } from 'vitrine/testing'

const run = promisify(execFile)

/** The visible registrations of a workspace: id to name and time of change. */
async function readTable(product, workspace) {
  const rows = await product.query(
    "SELECT id, attendee_name AS name, date_format(updated_at, '%Y-%m-%dT%H:%i:%s.%f') AS time FROM event_registrations WHERE workspace_id = ? AND archived_at IS NULL",
    [workspace],
  )
  return new Map(rows.map(({ id, name, time }) => [id, `${name} ${time.slice(0, 23)}`]))
}

/** How many records a copy lacks, has as they were, and has although the table does not show them. */
function compare(table, copy) {
  const count = (from, isCounted) => [...from].filter(isCounted).length
  return {
    missing: count(table, ([id]) => !copy.has(id)),
    stale: count(table, ([id, text]) => copy.has(id) && copy.get(id) !== text),
    removed: count(copy, ([id]) => !table.has(id)),
  }
}

/** What changes between two runs of a tool: SET and the rest of an UPDATE. A late commit is older than what was read before it. */
const now = 'utc_timestamp(3)'
const changes = {
  changes: `SET attendee_name = 'Changed', updated_at = ${now} WHERE workspace_id = ? ORDER BY id LIMIT 5`,
  'a late commit': `SET attendee_name = 'Late', updated_at = ${now} - INTERVAL 60 SECOND WHERE workspace_id = ? ORDER BY id DESC LIMIT 3`,
  'an archived record': `SET archived_at = ${now}, updated_at = ${now} WHERE workspace_id = ? AND archived_at IS NULL ORDER BY id LIMIT 1`,
}

/**
 * Runs a tool against a product that changes, and compares its copy of the registrations with the table after each run.
 *
 * @param tool `command(mode)` is how it is run, with `full` for reading anew; `read(folder)` gives the records of its copy.
 */
export async function runSync(throwaway, tool) {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-connect-'))
  const product = await throwaway.createProduct('plain', { registrations: 2000 })
  const workspace = product.product.workspaceId(0)
  const start = (mapping) => startVitrine({ databaseUrl: product.readUrl, mapping })
  const columns = { label: 'connect' }
  const mintKey = () =>
    product.mintKey({ workspace, scopes: ['registration.read', 'invoices.read'], columns })
  let key = await mintKey()
  let vitrine = await start(product.mappingFile)
  const steps = []
  const step = async (name, { mode = 'sync', fails = false, removed = 0 } = {}) => {
    const [command, ...args] = tool.command(mode)
    const env = { ...process.env, VITRINE_URL: vitrine.url, VITRINE_KEY: key }
    const failed = await run(command, args, { cwd: folder, env, maxBuffer: 1e9 }).then(
      () => false,
      ({ stderr }) => {
        if (!fails) process.stderr.write(stderr)
        return true
      },
    )
    const records = (await tool.read(folder)).map((one) => [
      one.id,
      `${one.name} ${one.updatedAt.slice(0, 23)}`,
    ])
    const found = compare(await readTable(product, workspace), new Map(records))
    const isWrong = found.missing > 0 || (!fails && (failed || found.stale > 0)) || found.removed !== removed
    steps.push({ tool: tool.name, step: name, failed, ...found, isWrong })
  }
  const change = (name) => product.query(`UPDATE event_registrations ${changes[name]}`, [workspace])
  try {
    await step('a full read')
    for (const name of ['changes', 'a late commit', 'an archived record']) {
      await change(name)
      await step(name, { removed: Number(name === 'an archived record') })
    }
    await step('an archived record, read anew', { mode: 'full' })
    await product.query("UPDATE workspace_api_keys SET expires_at = '2020-01-01' WHERE label = 'connect'")
    await step('an expired key', { fails: true })
    key = await mintKey()
    await change('changes')
    await step('a new key')
    await product.query(
      "UPDATE event_registrations SET attendee_name = 'Restored' WHERE workspace_id = ? AND archived_at IS NULL ORDER BY updated_at LIMIT 4",
      [workspace],
    )
    await vitrine.stop()
    const mapping = join(folder, 'mapping.yaml')
    await writeFile(mapping, `epoch: 1\n${await readFile(product.mappingFile, 'utf8')}`)
    vitrine = await start(mapping)
    // A tool that keeps no epoch does not notice it.
    await step('a raised epoch', { fails: true })
    await step('a raised epoch, read anew', { mode: 'full' })
  } finally {
    await vitrine.stop()
    await rm(folder, { recursive: true })
  }
  return steps
}

// Runs the connector as Airbyte does: its records and its state are lines, and the destination keeps the last record of each id.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const [program, manifest, mode] = process.argv.slice(2)
const save = (name, value) => writeFileSync(name, JSON.stringify(value))
const load = (name, fallback) => (existsSync(name) ? JSON.parse(readFileSync(name, 'utf8')) : fallback)
save('config.json', { url: process.env.VITRINE_URL, key: process.env.VITRINE_KEY })
save('catalog.json', {
  streams: ['registrations', 'invoices'].map((name) => ({
    stream: { name, json_schema: {}, supported_sync_modes: ['full_refresh', 'incremental'] },
    sync_mode: 'incremental',
    destination_sync_mode: 'append_dedup',
    cursor_field: ['updatedAt'],
    primary_key: [['id']],
  })),
})
const isFull = mode === 'full'
save('state.json', isFull ? [] : load('kept.json', []))
const files = ['--config', 'config.json', '--catalog', 'catalog.json', '--state', 'state.json']
const { status, stdout, stderr } = spawnSync(program, ['read', ...files, '--manifest-path', manifest], {
  encoding: 'utf8',
  maxBuffer: 1e9,
})
const lines = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
if (status !== 0) {
  process.stderr.write(stderr + stdout.slice(-4000))
  process.exit(status ?? 1)
}
const states = new Map(load('kept.json', []).map((one) => [one.stream.stream_descriptor.name, one]))
for (const { type, state } of lines)
  if (type === 'STATE') states.set(state.stream.stream_descriptor.name, state)
save('kept.json', [...states.values()])
const copy = new Map(isFull ? [] : load('copy.json', []).map((one) => [one.id, one]))
for (const { type, record } of lines)
  if (type === 'RECORD' && record.stream === 'registrations') copy.set(record.data.id, record.data)
save('copy.json', [...copy.values()])

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { lockCopy } from '../../src/pull/lock.js'
import { makeFolder } from '../support/folder.js'
import { patient, quick } from '../support/copies.js'

let path: string
beforeEach(() => {
  path = join(mkdtempSync(join(makeFolder(), 'lock-')), 'copy.ndjson')
})

const program = `
const { lockCopy } = await import(${JSON.stringify(pathToFileURL('dist/pull/lock.js').href)})
const [path, timing] = process.argv.slice(1)
try {
  const lock = await lockCopy(path, JSON.parse(timing))
  console.log('locked')
  process.stdin.on('data', () => {
    try { lock.verify(); console.log('verified') } catch ({ message }) { console.log(message) }
  })
} catch ({ message }) { console.log(message) }`

/** A process that locks the file, the lines that it prints, and its next one. */
function startProcess(...prefix: readonly string[]) {
  const node = [process.execPath, '--input-type=module', '-e', program, path, JSON.stringify(patient)]
  const [command = '', ...args] = [...prefix, ...node]
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const lines: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(...text.trim().split('\n')))
  const nextLine = () => vi.waitUntil(() => lines.shift(), { timeout: 60_000, interval: 5 })
  return { child, nextLine }
}

const canUnshare = spawnSync('unshare', ['-n', 'true']).status === 0
describe.each(canUnshare ? [[], ['unshare', '-n']] : [[]])('processes started with "%s"', (...prefix) => {
  test('have one lock, and the other one says who has it', async () => {
    const [first, second] = [startProcess(...prefix), startProcess(...prefix)]
    const lines = [await first.nextLine(), await second.nextLine()]
    const holder = lines[0] === 'locked' ? first : second
    const who = `process ${String(holder.child.pid)} on host ${hostname()}, since 20\\d\\d-[\\d:.T-]+Z`
    expect(lines.toSorted()).toEqual(
      [
        expect.stringMatching(`copy.ndjson: found a file that another pull is writing: ${who}; allowed: one`),
        'locked',
      ].toSorted(),
    )
  })
})

test.each(['SIGKILL', 'SIGTERM', 'SIGSEGV'] as const)('%s leaves no lock', async (signal) => {
  const { child, nextLine } = startProcess()
  expect(await nextLine()).toBe('locked')
  child.kill(signal)
  await once(child, 'exit')
  const lock = await lockCopy(path, quick)
  lock.verify()
  expect(readdirSync(dirname(path))).toEqual([`${basename(path)}.${lock.token}.lock`])
  lock.release()
  expect(readdirSync(dirname(path))).toEqual([])
})

test('of many that start at the same time, one at a time has the lock', async () => {
  for (let round = 0; round < 10; round += 1) {
    const locks = await Promise.allSettled(Array.from({ length: 4 }, () => lockCopy(path, patient)))
    const held = locks.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    for (const lock of held) lock.verify()
    expect(held).toHaveLength(1)
    held[0]?.release()
  }
})

// As root alone, because an ordinary user cannot mount one.
const isRoot = process.getuid?.() === 0
test.skipIf(!isRoot)('a file system without writes in place is an error', async ({ skip }) => {
  const folder = dirname(path)
  if (spawnSync('mount', ['-t', 'hugetlbfs', 'none', folder]).status !== 0) skip()
  try {
    const remedy = 'found a file system without locks (EINVAL); allowed: a folder on a disk of this machine'
    await expect(lockCopy(path)).rejects.toThrow(`${path}: ${remedy}`)
    expect(readdirSync(folder)).toEqual([])
  } finally {
    spawnSync('umount', [folder])
  }
})

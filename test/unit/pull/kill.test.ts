import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, test, vi } from 'vitest'
import { change, describeCopies, record, sync } from '../../support/copies.js'

/** File operations that are left until the process is killed, in the middle of the next one. */
const killer = vi.hoisted(() => ({ left: Number.POSITIVE_INFINITY }))

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs/promises')>()
  const stopAt =
    (name: 'writeFile' | 'appendFile' | 'rename' | 'rm' | 'chmod') =>
    async (...args: [string, never, never]): Promise<unknown> => {
      killer.left -= 1
      if (killer.left >= 0) return real[name](...args)
      if (killer.left === -1 && name.endsWith('File')) await real.appendFile(args[0], '{"id":"to')
      throw new Error('killed')
    }
  const names = ['writeFile', 'appendFile', 'rename', 'rm', 'chmod'] as const
  return { ...real, ...Object.fromEntries(names.map((name) => [name, stopAt(name)])) }
})

const before = [record('a'), record('b')]
const after = [record('b', 'b2'), record('c'), record('d')]

describeCopies('a copy in a %s file', ['ndjson'], (one) => {
  test.each([
    ['first', false, []],
    ['next', false, before],
    ['full', true, before],
  ])('is that before or after its %s sync, whenever that is killed', async (_, full, old) => {
    const seen = new Set<string>()
    for (let operations = 0; !seen.has('complete'); operations += 1) {
      killer.left = Number.POSITIVE_INFINITY
      const file = one.file.replace(/\w+\.ndjson$/, `${String(operations)}.ndjson`)
      one.file = file
      await one.reopen()
      if (old.length > 0) await sync(one.copy, false, change('s1', before))
      killer.left = operations
      const pages = [change('s1', [record('b', 'b1')]), change('s2', after, ['a'])]
      const isComplete = await sync(one.copy, full, ...pages).then(
        () => true,
        () => false,
      )
      killer.left = Number.POSITIVE_INFINITY
      const { readState } = await one.copy.begin(false)
      const state = (await readState()) ?? null
      const found = await one.read()
      seen.add(isComplete ? 'complete' : `killed with ${String(found.length)}`)
      // The state is never ahead of the records.
      expect(state).toBe(isComplete ? 's2' : old.length > 0 ? 's1' : null)
      expect(isComplete ? [after] : [old, after]).toContainEqual(found)
      expect(await sync(one.copy, false, change('s3', after, ['a']))).toBe(3)
      expect(await one.read()).toEqual(after)
      await one.reopen()
      const own = (name: string) => name.startsWith(`${String(operations)}.`) && !name.endsWith('.lock')
      const left = (await readdir(dirname(file))).filter(own)
      expect(left).toEqual([`${String(operations)}.ndjson`, `${String(operations)}.ndjson.state`])
    }
    // Both sides of the moment at which the copy is replaced.
    expect(seen).toEqual(new Set([`killed with ${String(old.length)}`, 'killed with 3', 'complete']))
  })
})

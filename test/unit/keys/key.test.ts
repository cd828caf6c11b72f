import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isGenuine, mintKey } from '../../../src/keys/key.js'
import { keys } from '../../product/keys.js'

/* Hashes, expiries, scopes and refusals are proved over HTTP, in test/model and test/database. */

const letters = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
const others = [' ', '_', '-', '+', '/', '=', '.', '\u0000', 'é', 'К', '😀']

test('a key that was minted is its prefix and 49 letters and digits, and genuine with that prefix', () => {
  const randoms = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{0,16}$/), randoms, (prefix, random) => {
      const key = mintKey(prefix, random)
      expect(isGenuine(key, prefix)).toBe(true)
      expect(key.startsWith(prefix)).toBe(true)
      expect(key.slice(prefix.length)).toMatch(/^[0-9A-Za-z]{49}$/)
    }),
  )
})

test.each(Object.entries(keys))('the key %s is genuine, and changed, cut or longer it is not', (_, key) => {
  expect(isGenuine(key, 'evk_')).toBe(true)
  for (let at = 0; at < key.length; at += 1) {
    const changed = [...letters, ...others].filter((letter) => letter !== key[at])
    const [before, after] = [key.slice(0, at), key.slice(at + 1)]
    const wrong = [before, before + after, ...changed.map((letter) => before + letter + after)]
    expect(wrong.filter((one) => isGenuine(one, 'evk_'))).toEqual([])
  }
  expect([...letters, ...others].filter((letter) => isGenuine(key + letter, 'evk_'))).toEqual([])
})

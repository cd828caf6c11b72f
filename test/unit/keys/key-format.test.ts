import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isGenuine, mintKey } from '../../../src/keys/key-format.js'
import { keys } from '../../product/keys.js'

const randoms = fc.uint8Array({ minLength: 32, maxLength: 32 })
const prefixes = fc.stringMatching(/^[A-Za-z0-9_-]{0,16}$/)
const letters = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
const others = [' ', '_', '-', '+', '/', '=', '.', '\u0000', 'é', 'К', '😀']

describe('a key', () => {
  test('that was minted is genuine under its own prefix', () => {
    fc.assert(
      fc.property(prefixes, randoms, (prefix, random) => {
        expect(isGenuine(mintKey(prefix, random), prefix)).toBe(true)
      }),
    )
  })

  test('is its prefix and 49 letters and digits', () => {
    fc.assert(
      fc.property(prefixes, randoms, (prefix, random) => {
        const key = mintKey(prefix, random)
        expect(key.startsWith(prefix)).toBe(true)
        expect(key.slice(prefix.length)).toMatch(/^[0-9A-Za-z]{49}$/)
      }),
    )
  })

  test('holds all of its random bits: other bits make another key', () => {
    fc.assert(
      fc.property(randoms, fc.nat({ max: 255 }), (random, bit) => {
        const other = Uint8Array.from(random)
        other[bit >> 3]! ^= 1 << (bit & 7)
        expect(mintKey('evk_', other)).not.toBe(mintKey('evk_', random))
      }),
    )
  })

  test('has room for the greatest number', () => {
    expect(isGenuine(mintKey('evk_', new Uint8Array(32).fill(255)), 'evk_')).toBe(true)
  })

  test('is another one each time it is minted', () => {
    expect(mintKey('evk_')).not.toBe(mintKey('evk_'))
  })

  test('of another prefix is not genuine', () => {
    const key = mintKey('evk_', new Uint8Array(32))
    for (const prefix of ['evk', 'evk-', 'EVK_', 'evk_0', '']) expect(isGenuine(key, prefix)).toBe(false)
  })
})

describe("the seeds' keys", () => {
  test.each(Object.entries(keys))('%s is genuine', (_label, key) => {
    expect(isGenuine(key, 'evk_')).toBe(true)
  })

  test.each(Object.entries(keys))('%s with any one character changed is refused', (_label, key) => {
    for (let at = 0; at < key.length; at += 1) {
      for (const letter of [...letters, ...others]) {
        if (letter === key[at]) continue
        expect(isGenuine(key.slice(0, at) + letter + key.slice(at + 1), 'evk_')).toBe(false)
      }
    }
  })

  test.each(Object.entries(keys))('%s with any two neighbours exchanged is refused', (_label, key) => {
    for (let at = 0; at + 1 < key.length; at += 1) {
      const [first, second] = [key.charAt(at), key.charAt(at + 1)]
      if (first === second) continue
      expect(isGenuine(key.slice(0, at) + second + first + key.slice(at + 2), 'evk_')).toBe(false)
    }
  })

  test.each(Object.entries(keys))('%s cut or lengthened is refused', (_label, key) => {
    for (let at = 0; at < key.length; at += 1) {
      expect(isGenuine(key.slice(0, at), 'evk_')).toBe(false)
      expect(isGenuine(key.slice(0, at) + key.slice(at + 1), 'evk_')).toBe(false)
    }
    for (const letter of [...letters, ...others]) expect(isGenuine(key + letter, 'evk_')).toBe(false)
  })
})

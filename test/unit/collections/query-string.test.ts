import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/errors.js'
import { parseQueryString } from '../../../src/collections/list-query.js'

const allowed = ['limit', 'status']
const reading = (search: string, known = allowed) => expect(() => parseQueryString(search, known))
const unknown = (more = {}): unknown => expect.objectContaining({ code: 'unknown_parameter', ...more })

describe('a query string', () => {
  test.each([
    ['', {}],
    ['&&', {}],
    ['limit=5', { limit: '5' }],
    ['limit', { limit: '' }],
    ['limit=', { limit: '' }],
    ['limit=5&status=PAID&', { limit: '5', status: 'PAID' }],
    ['status=a=b', { status: 'a=b' }],
    ['status=a+b%2Bc%20d', { status: 'a b+c d' }],
    ['st%61tus=%D9%86', { status: 'ن' }],
  ])('%o is read as %o', (search, parameters) => {
    expect([...parseQueryString(search, allowed)]).toEqual(Object.entries(parameters))
  })

  test('that a URL library wrote is read as it was meant', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (status) => {
        const search = new URLSearchParams({ status }).toString()
        expect(parseQueryString(search, allowed).get('status')).toBe(status)
      }),
    )
  })

  test('with an unknown name is refused, with the names that there are', () => {
    reading('limit=5&Status=PAID').toThrow(
      new Problem(
        'unknown_parameter',
        'There is no parameter "Status". Did you mean status? Allowed are limit, status.',
        { parameter: 'Status' },
      ),
    )
  })

  test.each(['constructor=1', '__proto__=1', '=1', '%00=1'])('with the name of %s is refused', (search) => {
    reading(search).toThrow(unknown())
  })

  test('of a route without parameters is refused, and says that there are none', () => {
    reading('limit=5', []).toThrow('There is no parameter "limit". This route has none.')
  })

  test.each([
    ['status[]', allowed, 'status'],
    ['sort', allowed, undefined],
  ])('%s has a nearest name among %s, or none', (name, known, nearest) => {
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
    reading(`${name}=1`, known).toThrow(
      `There is no parameter "${name}".${hint} Allowed are ${known.join(', ')}.`,
    )
  })

  test.each([
    ['!'.repeat(5000), `${'!'.repeat(64)}…`],
    // A key without a name in front of it.
    ['evk_1234567890abcdefghijklmnopqrstuvwxyz', 'evk_1234…'],
  ])('with a very long name or one that can be a key is refused with that name cut', (name, parameter) => {
    reading(`${name}=1`).toThrow(unknown({ parameter }))
  })

  test('with a name that is broken UTF-8 is refused, without its value', () => {
    reading('%FF=1').toThrow(unknown({ parameter: '%FF' }))
  })

  test.each(['limit=5&limit=5', 'limit=&limit=', 'limit=5&l%69mit=6'])(
    'that repeats a parameter is refused: %s',
    (search) => {
      reading(search).toThrow('invalid_parameter: The parameter limit is sent more than once; send it once.')
    },
  )

  test.each(['status=%', 'status=%zz', 'status=%FF', 'status=%C3%28'])(
    'with a broken escape is refused: %s',
    (search) => {
      reading(search).toThrow(
        'invalid_parameter: The parameter status has a broken percent escape; encode it as UTF-8.',
      )
    },
  )
})

import { describe, expect, test } from 'vitest'
import { listStatuses, named } from '../../../src/resources/collection.js'
import { RowFault } from '../../../src/errors.js'

describe('a reader with a name', () => {
  test('puts the name before the reason of a fault', () => {
    const read = named('email', () => {
      throw new RowFault('is NULL')
    })
    expect(() => read(null)).toThrow(new RowFault('email is NULL'))
  })

  test('lets an error of the program through as it is', () => {
    const bug = new TypeError('a bug')
    const read = named('email', () => {
      throw bug
    })
    expect(() => read(null)).toThrow(bug)
  })

  test('gives what was read', () => {
    expect(named('email', String)(5)).toBe('5')
  })
})

describe('the public statuses', () => {
  test('are listed once each, in the order of the mapping', () => {
    expect(listStatuses(['B', 'A', 'B'])).toEqual(['B', 'A'])
  })

  test('are not listed where the mapping has no list', () => {
    expect(listStatuses(undefined)).toBeUndefined()
  })
})

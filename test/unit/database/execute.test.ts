import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { driverVersion, requireDriver } from '../../../src/database/execute.js'

test('the version of the driver whose inside is used is the one that is installed', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  expect(dependencies['mysql2']).toBe(driverVersion)
  expect(() => {
    requireDriver()
  }).not.toThrow()
})

test('another version of the driver is refused with what to do', () => {
  expect(() => {
    requireDriver({ version: '3.25.0' })
  }).toThrow(/mysql2 3\.25\.0 is installed.*npm ci/)
})

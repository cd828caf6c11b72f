import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../../src/config.js'
import { makeFolder } from '../../support/folder.js'

const file = 'docker/systemd/vitrine.service'
const unit = readFileSync(file, 'utf8')

/** The values of a directive, without an empty one that resets it. */
const readDirective = (name: string): readonly string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.+)$`, 'gm'))].map(([, value = '']) => value)

test('systemd gives Vitrine more time to stop than its shutdown takes', () => {
  const { shutdownDelayMs, shutdownGraceMs } = parseConfig({ DATABASE_URL: 'mysql://u:p@database/product' })
  const [stopSeconds] = readDirective('TimeoutStopSec')
  expect(Number(stopSeconds)).toBeGreaterThanOrEqual((shutdownDelayMs + shutdownGraceMs) / 1000 + 5)
})

test('a wrong command line or setting is not started again, and anything else is', () => {
  expect(readDirective('Restart')).toEqual(['on-failure'])
  expect(readDirective('RestartPreventExitStatus')).toEqual(['64 78'])
  expect(readDirective('StartLimitIntervalSec')).toEqual(['0'])
})

test('the unit sets variables that Vitrine knows', () => {
  const known = [...readFileSync('src/environment.ts', 'utf8').matchAll(/^ {2}([A-Z_]+): /gm)].map(
    ([, name]) => name,
  )
  const names = readDirective('Environment').flatMap((line) =>
    [...line.matchAll(/(?:^| )"?([A-Z_]+)=/g)].map(([, name]) => name),
  )
  expect([...known, 'NODE_ENV', 'NODE_OPTIONS']).toEqual(expect.arrayContaining(names))
})

const lacks = spawnSync('systemd-analyze', ['--version']).status !== 0
const isCi = (process.env['CI'] ?? '') !== ''
const because = lacks ? ' (no systemd-analyze on this machine)' : ''

/** A line for each thing that systemd does not understand. */
function verify(text: string): string {
  const copy = join(makeFolder(), 'vitrine.service')
  cpSync(file, copy)
  // The Node of this machine, since systemd looks for the program too.
  writeFileSync(copy, text.replace('/usr/bin/node', process.execPath))
  return spawnSync('systemd-analyze', ['verify', '--man=no', copy], { encoding: 'utf8' }).stderr
}

describe.skipIf(lacks && !isCi)(`systemd${because}`, () => {
  test('understands every line of the unit', () => {
    expect(verify(unit)).toBe('')
  })

  test('names a directive that does not exist', () => {
    expect(verify(unit.replace('ProtectHome=', 'ProtectedHome='))).toContain('ProtectedHome')
  })

  test('rates what the service could still do below 1.5 of 10', () => {
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], {
      encoding: 'utf8',
    })
    const [, exposure] = /Overall exposure level for vitrine\.service: ([\d.]+)/.exec(stdout) ?? []
    expect(Number(exposure)).toBeLessThan(1.5)
  })
})

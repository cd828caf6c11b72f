import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../support/folder.js'

/* `npm run release` for the commit that was just tested, in a repository of the files that have the version. */

const version = '2.0.1'
const files: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ version }),
  // A package of the lockfile can have the version that Vitrine had before, or will have.
  'package-lock.json': JSON.stringify(
    { version, packages: { '': { version }, other: { version: '2.0.2' } } },
    undefined,
    2,
  ),
  'CHANGELOG.md': `# Changelog\n\n## [Unreleased]\n\n## [${version}] - 2026-11-24\n\n- A fix.\n`,
  'src/client/headers.ts': `export const version = '${version}'\n`,
  'docker/kubernetes/example/kustomization.yaml': `newTag: ${version}\n`,
  'docs/images/version.txt': `${version}\n`,
}

function createRepository(): { folder: string; git: (...args: string[]) => string } {
  const folder = makeFolder()
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  mkdirSync(join(folder, '.ci'))
  cpSync('.ci/release.mjs', join(folder, '.ci/release.mjs'))
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'all')
  return { folder, git }
}

function release(folder: string): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ['.ci/release.mjs', '--tested'], { cwd: folder, encoding: 'utf8' })
}

test('a commit that has everything gets the commands that publish it', () => {
  const { folder, git } = createRepository()
  const { status, stdout, stderr } = release(folder)
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain(
    `git tag --annotate v${version} --message v${version} ${git('rev-parse', 'HEAD')}\n`,
  )
  expect(stdout).toContain(`--build-arg REVISION=${git('rev-parse', 'HEAD')}`)
})

test.each<[what: string, named: string, file: string, text: string | undefined]>([
  ['an uncommitted change', 'the tree is clean', 'README.md', 'x'],
  ['a lockfile of another version', 'package-lock.json has 2.0.2', 'package.json', '{"version":"2.0.2"}'],
  [
    'pictures that were never taken',
    `docs/images/version.txt has ${version}`,
    'docs/images/version.txt',
    undefined,
  ],
])('%s is named, with what to do', (_, named, file, text) => {
  const { folder } = createRepository()
  if (text === undefined) rmSync(join(folder, file))
  else writeFileSync(join(folder, file), text)
  const { status, stderr } = release(folder)
  expect([status, stderr]).toEqual([1, expect.stringContaining(`Not so: ${named}. To fix it: `)])
})

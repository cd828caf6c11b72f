// npm run release: verifies what a release needs, cheapest first, and prints the commands that publish it. Writes nothing.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
const git = (...args) => spawnSync('git', args, { encoding: 'utf8' }).stdout.trim()
const { version } = JSON.parse(read('package.json'))
const changelog = read('CHANGELOG.md')
const unreleased = (/^## \[Unreleased\]\n([^]*?)(?=^## )/m.exec(changelog)?.[1] ?? '').trim()
const section = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}$`, 'm')
const isDated = section.test(changelog)
// Of its head: the packages in it have versions of their own.
const locked = JSON.parse(read('package-lock.json') || '{}').version
const isUntagged = git('tag', '--list', `v${version}`) === ''

/** What must hold, and what to do where it does not. */
const needs = [
  [git('status', '--porcelain') === '', 'the tree is clean', 'commit or remove what `git status` shows'],
  [isUntagged, `v${version} has no tag yet`, 'raise the version in package.json'],
  [isDated, `CHANGELOG.md has a section for ${version} with its date`, 'rename the section Unreleased'],
  [unreleased === '', 'nothing is left under Unreleased', 'move its lines to the section of the release'],
  [locked === version, `package-lock.json has ${version}`, 'npm install --package-lock-only'],
  ...[
    ['src/client/headers.ts', `version = '${version}'`],
    ['docker/kubernetes/example/kustomization.yaml', `newTag: ${version}`],
    ['docs/images/version.txt', `${version}\n`, 'npm run screenshots'],
  ].map(([file, text, remedy = `write ${JSON.stringify(text)} into it`]) => [
    read(file).includes(text),
    `${file} has ${version}`,
    remedy,
  ]),
]
for (const [holds, what] of needs) process.stdout.write(`${holds ? '✓' : '✗'} ${what}\n`)
const failed = needs.filter(([holds]) => !holds)
for (const [, what, remedy] of failed) process.stderr.write(`Not so: ${what}. To fix it: ${remedy}.\n`)
if (failed.length > 0) process.exit(1)
// `--tested` is for the commit that they were just run on.
if (!process.argv.includes('--tested'))
  for (const script of ['check', 'test', 'test:long'])
    if (spawnSync('npm', ['run', script], { stdio: 'inherit' }).status !== 0) process.exit(1)
const commit = git('rev-parse', 'HEAD')
process.stdout.write(`Everything is there. Publish it with:
  git tag --annotate v${version} --message v${version} ${commit}
  git push origin v${version}
  docker build -f docker/Dockerfile --build-arg VERSION=${version} --build-arg REVISION=${commit} \\
    --build-arg CREATED=${git('log', '-1', '--format=%cI')} -t vitrine:${version} .
`)

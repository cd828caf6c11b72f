import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const dockerfile = readFileSync('docker/Dockerfile', 'utf8')
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Readonly<Record<string, string>>
const labels: Readonly<Record<string, string>> = Object.fromEntries(
  [...dockerfile.matchAll(/org\.opencontainers\.image\.(\w+)="([^"]*)"/g)].map(([, name = '', text = '']) => [
    name,
    text,
  ]),
)

test('the image is labelled with what package.json says, and with the arguments of the build', () => {
  expect(labels).toEqual({
    title: 'Vitrine',
    description: manifest['description'],
    licenses: manifest['license'],
    version: '${VERSION}',
    revision: '${REVISION}',
    created: '${CREATED}',
    source: '${SOURCE}',
  })
  expect(dockerfile).toContain('ARG VERSION= REVISION= CREATED= SOURCE=\nLABEL ')
})

test('the image runs as a user by number, who is not root', () => {
  expect(dockerfile.split('FROM ').at(-1)).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
})

test('every file that a stage copies is let through by .dockerignore', () => {
  const allowed = readFileSync('.dockerignore', 'utf8').match(/(?<=^!).+/gm)!
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files]) =>
    files!.split(' '),
  )
  expect(copied.length).toBeGreaterThan(10)
  expect([...new Set(copied)].toSorted()).toEqual(allowed.toSorted())
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as forms from '../../../../src/tools/commands/forms.js'
import type { Form } from '../../../../src/tools/commands/command.js'

const cases = parse(readFileSync('test/unit/tools/commands/forms.yaml', 'utf8')) as Record<
  string,
  [string, unknown?][]
>
const all: Readonly<Record<string, Form<unknown>>> = {
  ...(forms as object),
  'wholeNumber from 1 to 600': forms.wholeNumber('N', 1, 600),
  'oneOf 3.1 and 3.0': forms.oneOf('3.1', '3.0'),
}
test.each(Object.entries(cases))('%s reads what it allows, and nothing else', (name, texts) => {
  const read = texts.map(([text]) => [text, all[name]!.parse(text)].filter((one) => one !== undefined))
  expect(read).toEqual(texts)
})

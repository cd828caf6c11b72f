import { expect, test } from 'vitest'
import {
  keyVariable,
  oneOf,
  pause,
  percentage,
  scopeList,
  serviceAddress,
  sqlName,
  wholeNumber,
} from '../../../../src/tools/commands/forms.js'
import type { Form } from '../../../../src/tools/commands/command.js'

test.each<[Form<unknown>, readonly (readonly [text: string, value: unknown])[]]>([
  [wholeNumber('N', 1, 600), [['1', 1], ['600', 600], ['0', undefined], ['601', undefined], ['1.5', undefined], ['', undefined]]],
  [oneOf('3.1', '3.0'), [['3.0', '3.0'], ['3', undefined], ['toString', undefined], ['', undefined]]],
  [sqlName, [['10.0.0.%', '10.0.0.%'], ['u\nGRANT', undefined], ['h\r', undefined], ['d\u007f', undefined], ['', undefined]]],
  [keyVariable, [['VITRINE_KEY', 'VITRINE_KEY'], ['evk_a-key', undefined], ['', undefined]]],
  [percentage, [['0', 0], ['2.5', 2.5], ['100', 100], ['101', undefined], ['-1', undefined], ['5%', undefined], ['', undefined]]],
  [pause, [['30s', 30_000], ['1h', 3_600_000], ['577h', 577 * 3_600_000], ['600h', undefined], ['30', undefined]]],
  [serviceAddress, [
    ['https://a.test/shop/', 'https://a.test/shop'],
    ['https://a.test/api/public/v1/', 'https://a.test'],
    ['https://a.test/?x', undefined],
    ['https://k@a.test', undefined],
    ['ftp://a.test', undefined],
    ['here', undefined],
  ]],
  [scopeList, [
    ['registration.read, invoices.read', ['registration.read', 'invoices.read']],
    ['registration.read invoices.read ', ['registration.read', 'invoices.read']],
    ['invoices.read', ['invoices.read']],
    ['invoices.read,registrations.read', undefined],
    ['', undefined],
  ]],
])('a form reads what it allows, and nothing else: %#', ({ parse }, cases) => {
  expect(cases.map(([text]) => [text, parse(text)])).toEqual(cases)
}) // prettier-ignore

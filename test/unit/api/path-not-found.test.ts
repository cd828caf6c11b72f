import { expect, test } from 'vitest'
import { createPathNotFound } from '../../../src/api/path-not-found.js'

const base = '/api/public/v1'
const both = createPathNotFound(['registrations', 'invoices'], '')
const right = `${base}/registrations`

test.each([
  ['/registrations', `Did you mean ${right}?`],
  ['/v1/registrations/R1', `Did you mean ${right}/{id}?`],
  [`${base}${base}/invoices`, `Did you mean ${base}/invoices?`],
  [
    `${base}/registrations/`,
    `Did you mean ${right}, without a slash at its end? If one record was meant, its id is empty.`,
  ],
  [`${base}/registrations/R1/`, `Did you mean ${right}/{id}, without a slash at its end?`],
  [`${base}/Registrations`, `Did you mean ${right}?`],
  ['/API/public/V1/registration', `Did you mean ${right}?`],
  [`${base}/registrations/R/1`, `A slash in an id is sent as %2F: ${right}/{id}.`],
  ['/openapi.yaml', `Did you mean ${base}/openapi.json?`],
  ['/doc', 'Did you mean /docs?'],
  ['/', `The API is at ${base}, with registrations and invoices; its documentation is at /docs.`],
  [
    `/${'registrations'.repeat(600)}`,
    `The API is at ${base}, with registrations and invoices; its documentation is at /docs.`,
  ],
])('%s', (path, advice) => {
  expect(both(path)).toMatchObject({ code: 'not_found', detail: `There is nothing at this path. ${advice}` })
})

test('a collection that is not mapped is not proposed, and the public address is', () => {
  const one = createPathNotFound(['invoices'], 'https://api.example.com/shop')
  expect(one(`${base}/registrations`).detail).toContain(
    `The API is at https://api.example.com/shop${base}, with invoices; its documentation is at https://api.example.com/shop/docs.`,
  )
  expect(one('/invoices').detail).toContain(`Did you mean https://api.example.com/shop${base}/invoices?`)
})

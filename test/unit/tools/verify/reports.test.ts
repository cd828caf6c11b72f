import { expect, test } from 'vitest'
import { guarantees } from '../../../../src/tools/verify/verify.js'
import { renderJunit } from '../../../../src/tools/report/files.js'
import { renderText } from '../../../../src/tools/report/render-text.js'
import { toReport } from '../../../../src/tools/verify/report.js'
import type { GuaranteeReport, VerifyReport } from '../../../../src/tools/verify/report.js'

const one = (name: string, other: Partial<GuaranteeReport>): GuaranteeReport => ({
  name,
  title: `The title of ${name}`,
  outcome: 'held',
  requests: 1,
  durationMs: 12,
  reasons: [],
  findings: [],
  ...other,
})

const finding = {
  request: `curl "$KEY" '<a&b>'`,
  requestId: 'r-1',
  got: '200 \u0007',
  expected: '400',
  severity: 'error',
} as const
const report: VerifyReport = {
  url: 'https://api.example.com:8443/shop',
  startedAt: '2026-03-01T09:30:00.123Z',
  durationMs: 1500,
  requests: 7,
  retries: 0,
  maxRequests: 500,
  serviceVersion: '1.0.0',
  collections: ['invoices', 'registrations'],
  examined: [
    { collection: 'invoices', records: 42, isComplete: true },
    { collection: 'registrations', records: 500, isComplete: false },
  ],
  ok: false,
  held: 1,
  broken: 1,
  skipped: 1,
  guarantees: [
    one('order', {}),
    one('etag', { outcome: 'broken', findings: [finding] }),
    one('ties', { outcome: 'skipped', reasons: ['too few "records"'] }),
  ],
}

test('every guarantee has a name of its own, in kebab-case', () => {
  const names = guarantees.map(([name]) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))).toEqual([])
})

test('the text has a line for each guarantee, and the request, what came and what should have come', () => {
  expect(renderText(toReport(report)))
    .toBe(`Vitrine 1.0.0 at https://api.example.com:8443/shop: invoices (all 42 examined) and registrations (the first 500 examined)

✓ order  The title of order
✗ etag   The title of etag
    curl "$KEY" '<a&b>'
      came      200 \u0007
      expected  400
      request   r-1
– ties   The title of ties
    skipped: too few "records"

1 held, 1 broken, 1 skipped; 7 requests in 1.5 s
`)
})

test('the JUnit file has a test case for each guarantee, escaped as XML needs it', () => {
  const { startedAt, durationMs } = report
  const suite = { name: 'vitrine verify', hostname: 'api.example.com:8443', startedAt, durationMs }
  expect(renderJunit(toReport(report), suite)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="vitrine verify" tests="3" failures="1" errors="0" skipped="1" time="1.500">
  <testsuite name="vitrine verify" hostname="api.example.com:8443" timestamp="2026-03-01T09:30:00" tests="3" failures="1" errors="0" skipped="1" time="1.500">
    <testcase classname="vitrine.verify" name="order" time="0.012"></testcase>
    <testcase classname="vitrine.verify" name="etag" time="0.012"><failure message="The title of etag" type="broken">curl &#34;$KEY&#34; &#39;&#60;a&#38;b&#62;&#39;
  came      200 \\u0007
  expected  400
  request   r-1
</failure></testcase>
    <testcase classname="vitrine.verify" name="ties" time="0.012"><skipped message="too few &#34;records&#34;"/></testcase>
  </testsuite>
</testsuites>
`)
})

import type { Finding, GuaranteeReport, VerifyReport } from './report.js'

/**
 * The report as JUnit XML, as GitLab, GitHub actions, Jenkins and Azure read it: a test case for each guarantee, whose
 * name is the stable name of the guarantee.
 */
export function renderJunit(report: VerifyReport): string {
  const { broken, skipped, guarantees, durationMs, startedAt, url } = report
  const counts = {
    tests: guarantees.length,
    failures: broken,
    errors: 0,
    skipped,
    time: toSeconds(durationMs),
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${renderAttributes({ name: 'vitrine verify', ...counts })}>`,
    `  <testsuite ${renderAttributes({ name: 'vitrine verify', hostname: new URL(url).host, timestamp: startedAt.slice(0, 19), ...counts })}>`,
    ...guarantees.flatMap(renderCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function renderCase({
  name,
  title,
  outcome,
  reasons,
  findings,
  durationMs,
}: GuaranteeReport): readonly string[] {
  const attributes = renderAttributes({ classname: 'vitrine.verify', name, time: toSeconds(durationMs) })
  if (outcome === 'held') return [`    <testcase ${attributes}/>`]
  const message = renderAttributes({ message: outcome === 'broken' ? title : reasons.join('; ') })
  const inside =
    outcome === 'skipped'
      ? `<skipped ${message}/>`
      : `<failure ${message} type="broken">${escape(findings.map(renderFinding).join('\n'))}</failure>`
  return [`    <testcase ${attributes}>`, `      ${inside}`, '    </testcase>']
}

function renderFinding({ request, requestId, got, expected }: Finding): string {
  return `${request}\n  came      ${got}\n  expected  ${expected}\n  request   ${requestId ?? '(no id)'}\n`
}

function renderAttributes(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}="${escape(String(value))}"`)
    .join(' ')
}

function toSeconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escape(text: string): string {
  // XML 1.0 has no control characters but these three, and no half of a surrogate pair.
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)
}

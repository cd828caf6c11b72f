import type { Finding, Report, Section } from './report.js'

/** What stands at the top of a JUnit report, beside the counts. */
export interface JunitSuite {
  /** Of the suite, such as `vitrine verify`; the cases have the class `vitrine.verify`. */
  readonly name: string
  /** Of what was examined. */
  readonly hostname: string
  /** In UTC. */
  readonly startedAt: string
  readonly durationMs: number
}

/**
 * The report as JUnit XML, as GitLab, GitHub actions, Jenkins and Azure read it: a test case for each section, whose name
 * is the stable id of the section.
 */
export function renderJunit({ sections }: Report, suite: JunitSuite): string {
  const { name, hostname, startedAt, durationMs } = suite
  const count = (status: Section['status']): number => sections.filter((one) => one.status === status).length
  const [failures, skipped] = [count('error'), count('skipped')]
  const counts = { tests: sections.length, failures, errors: 0, skipped, time: toSeconds(durationMs) }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${renderAttributes({ name, ...counts })}>`,
    `  <testsuite ${renderAttributes({ name, hostname, timestamp: startedAt.slice(0, 19), ...counts })}>`,
    ...sections.flatMap((section) => renderCase(section, name.replaceAll(' ', '.'))),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function renderCase(section: Section, classname: string): readonly string[] {
  const { id, title, status, notes = [], findings, durationMs = 0 } = section
  const attributes = renderAttributes({ classname, name: id, time: toSeconds(durationMs) })
  if (status === 'ok' || status === 'warning') return [`    <testcase ${attributes}/>`]
  const message = renderAttributes({ message: status === 'error' ? title : notes.join('; ') })
  const inside =
    status === 'skipped'
      ? `<skipped ${message}/>`
      : `<failure ${message} type="broken">${escape(findings.map(renderFinding).join('\n'))}</failure>`
  return [`    <testcase ${attributes}>`, `      ${inside}`, '    </testcase>']
}

function renderFinding({ object, problem, fix, details = [] }: Finding): string {
  return [object, ...[problem, fix, ...details].map((line) => `  ${line}`), ''].join('\n')
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

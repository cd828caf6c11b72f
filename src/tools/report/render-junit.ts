import { html } from '../../html.js'
import type { Html } from '../../html.js'
import { toPrintableTexts } from '../../values/printable.js'
import type { Report, Section } from './report.js'

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
export function renderJunit(report: Report, suite: JunitSuite): string {
  // XML has no control characters.
  const { sections } = toPrintableTexts(report)
  const { name, hostname, startedAt, durationMs } = suite
  const count = (status: Section['status']): number => sections.filter((one) => one.status === status).length
  const counts = html`tests="${sections.length}" failures="${count('error')}" errors="0" skipped="${count('skipped')}" time="${toSeconds(durationMs)}"`
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${name}" ${counts}>
  <testsuite name="${name}" hostname="${hostname}" timestamp="${startedAt.slice(0, 19)}" ${counts}>
${sections.map((section) => renderCase(section, name.replaceAll(' ', '.')))}  </testsuite>
</testsuites>
`.markup
}

function renderCase(section: Section, className: string): Html {
  const { id, title, status, notes = [], findings, durationMs = 0 } = section
  const texts = findings.map(({ object, problem, fix, details = [] }) =>
    [object, ...[problem, fix, ...details].map((line) => `  ${line}`), ''].join('\n'),
  )
  const inside =
    status === 'skipped'
      ? html`<skipped message="${notes.join('; ')}"/>`
      : html`<failure message="${title}" type="broken">${texts.join('\n')}</failure>`
  return html`    <testcase classname="${className}" name="${id}" time="${toSeconds(durationMs)}">${status === 'skipped' || status === 'error' ? inside : ''}</testcase>
`
}

function toSeconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

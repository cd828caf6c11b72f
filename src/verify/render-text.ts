import { styleText } from 'node:util'
import type { Examined, Finding, GuaranteeReport, Outcome, VerifyReport } from './report.js'

type Style = Parameters<typeof styleText>[0]
type Paint = (style: Style, text: string) => string

const marks = {
  held: { sign: '✓', style: 'green' },
  broken: { sign: '✗', style: 'red' },
  skipped: { sign: '–', style: 'yellow' },
} as const satisfies Record<Outcome, { sign: string; style: Style }>

/** The report as lines for a terminal or a file. @param colour whether the output is a terminal. */
export function renderText(report: VerifyReport, colour: boolean): string {
  const paint: Paint = (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text)
  const version = report.serviceVersion === null ? '' : ` ${report.serviceVersion}`
  const width = Math.max(...report.guarantees.map(({ name }) => name.length))
  return [
    paint('bold', `Vitrine${version} at ${report.url}: ${report.examined.map(toText).join(' and ')}`),
    '',
    ...report.guarantees.flatMap((one) => renderGuarantee(one, width, paint)),
    '',
    renderSummary(report, paint),
    '',
  ].join('\n')
}

/** Records that were not read were not verified. */
function toText({ collection, records, isComplete }: Examined): string {
  return `${collection} (${isComplete ? 'all' : 'the first'} ${records} examined)`
}

function renderGuarantee(
  { name, title, outcome, reasons, findings }: GuaranteeReport,
  width: number,
  paint: Paint,
): readonly string[] {
  const { sign, style } = marks[outcome]
  const note = outcome === 'skipped' ? 'skipped' : 'not verified'
  return [
    `${paint(style, sign)} ${paint(outcome === 'broken' ? ['bold', style] : style, name.padEnd(width))}  ${title}`,
    ...reasons.map((reason) => paint('dim', `    ${note}: ${reason}`)),
    ...findings.flatMap((finding) => renderFinding(finding, paint)),
  ]
}

function renderFinding({ request, requestId, got, expected }: Finding, paint: Paint): readonly string[] {
  return [
    `    ${paint('cyan', request)}`,
    `      came      ${got}`,
    `      expected  ${expected}`,
    ...(requestId === null ? [] : [paint('dim', `      request   ${requestId}`)]),
  ]
}

function renderSummary({ held, broken, skipped, requests, durationMs }: VerifyReport, paint: Paint): string {
  const counts = `${held} held, ${broken} broken, ${skipped} skipped`
  const cost = `${requests} requests in ${(durationMs / 1000).toFixed(1)} s`
  return paint(['bold', broken > 0 ? 'red' : 'green'], `${counts}; ${cost}`)
}

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { renderHtml } from '../report/render-html.js'
import { renderJunit } from '../report/render-junit.js'
import type { JunitSuite } from '../report/render-junit.js'
import type { Report } from '../report/report.js'

/** The files that a report is written to; undefined where one is not wanted. */
interface ReportFiles {
  readonly html?: string | undefined
  readonly junit?: string | undefined
}

/** Writes a report to files. Only their owner can read new ones: they show what the database holds, and who may read it. */
export async function writeReport(report: Report, suite: JunitSuite, files: ReportFiles): Promise<void> {
  const texts = [
    [files.html, () => renderHtml(report)],
    [files.junit, () => renderJunit(report, suite)],
  ] as const
  for (const [file, render] of texts) {
    if (file === undefined) continue
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, render(), { mode: 0o600 })
  }
}

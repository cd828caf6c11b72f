import { execFileSync } from 'node:child_process'

/** A program of Prometheus that this machine has; undefined where it has none, which fails a run in CI. */
function findProgram(name: 'promtool' | 'prometheus'): string | undefined {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return name
  } catch {
    if (process.env['CI'] !== undefined)
      throw new Error(`There is no ${name}: install Debian's package prometheus`)
    process.stderr.write(`Skipped: this machine has no ${name} (Debian's package prometheus)\n`)
    return undefined
  }
}

/** The `promtool` of this machine. */
export const findPromtool = (): string | undefined => findProgram('promtool')

/** The `prometheus` of this machine. */
export const findPrometheus = (): string | undefined => findProgram('prometheus')

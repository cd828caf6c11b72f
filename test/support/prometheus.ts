import { execFileSync } from 'node:child_process'

/** The `promtool` of this machine; undefined where it has none, which fails a run in CI. */
export function findPromtool(): string | undefined {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return 'promtool'
  } catch {
    if (process.env['CI'] !== undefined)
      throw new Error("There is no promtool: install Debian's package prometheus")
    process.stderr.write("Skipped: this machine has no promtool (Debian's package prometheus)\n")
    return undefined
  }
}

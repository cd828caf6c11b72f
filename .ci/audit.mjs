// Known vulnerabilities of the packages of production. A finding is exit status 1, and so is a failure of npm itself. A
// registry that does not answer the question, as some mirrors do not, is only reported.
import { spawnSync } from 'node:child_process'

const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' })
const report = parse(stdout)

if (report?.metadata?.vulnerabilities?.total === 0) {
  console.log('audit: no known vulnerability in the packages of production')
} else if (report?.vulnerabilities !== undefined) {
  for (const { name, severity, range, via } of Object.values(report.vulnerabilities)) {
    const reasons = via.map((one) => (typeof one === 'string' ? `by ${one}` : `${one.title}, ${one.url}`))
    console.log(`audit: ${name} ${range}, ${severity}: ${reasons.join('; ')}`)
  }
  process.exitCode = 1
} else if (report?.message !== undefined && report.error?.code === undefined) {
  // An error of npm itself has a code, such as ENOLOCK; an error of the registry has only a text.
  console.log(`audit: not done, the registry does not answer: ${report.message}`)
} else {
  console.log(`audit: not done, npm failed: ${report?.error?.summary ?? stderr}`)
  process.exitCode = 1
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

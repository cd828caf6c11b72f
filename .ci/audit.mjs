// What the registry knows against the packages that a service runs with. A finding ends this with 1, and so does
// whatever is wrong on this side; a registry that does not tell, as behind some mirrors, is a note.
import { spawnSync } from 'node:child_process'

const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' })
const report = parse(stdout)

if (report?.metadata?.vulnerabilities?.total === 0) {
  console.log('audit: nothing is known against the packages of production')
} else if (report?.vulnerabilities !== undefined) {
  for (const { name, severity, range, via } of Object.values(report.vulnerabilities)) {
    const reasons = via.map((one) => (typeof one === 'string' ? `by ${one}` : `${one.title}, ${one.url}`))
    console.log(`audit: ${name} ${range}, ${severity}: ${reasons.join('; ')}`)
  }
  process.exitCode = 1
} else if (report?.message !== undefined && report.error?.code === undefined) {
  // npm gives its own faults a code, such as ENOLOCK, and the registry's only a text.
  console.log(`audit: the registry was not asked: ${report.message}`)
} else {
  console.log(`audit: npm cannot: ${report?.error?.summary ?? stderr}`)
  process.exitCode = 1
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

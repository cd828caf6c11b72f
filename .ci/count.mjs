// Prints what failed in the reports of a folder, and at last `N passed, N failed`. Exit status 1 if anything failed. Each
// line of its file `failed` is a failure too, such as a check or an installation.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
const noted = join(folder, 'failed')
const failures = existsSync(noted) ? readFileSync(noted, 'utf8').trim().split('\n') : []
let [passed, skipped] = [0, 0]
for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
  const run = JSON.parse(readFileSync(join(folder, name), 'utf8'))
  passed += run.numPassedTests
  skipped += run.numPendingTests
  for (const file of run.testResults) {
    const tests = file.assertionResults.filter((test) => test.status === 'failed')
    for (const { fullName, failureMessages } of tests)
      failures.push(`${file.name}: ${fullName}\n${failureMessages.join('\n')}`)
    // A file that could not be loaded or set up has no test that failed.
    if (file.status === 'failed' && tests.length === 0) failures.push(`${file.name}\n${file.message}`)
  }
}
for (const failure of failures) console.log(`FAILED ${failure}`)
console.log(`${passed} passed, ${failures.length} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`)
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1

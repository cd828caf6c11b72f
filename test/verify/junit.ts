import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** A JUnit report, as an XML parser reads it. */
export interface JunitReport {
  /** Names of all cases. */
  readonly cases: readonly string[]
  /** Names of the cases with a failure, with its whole text. */
  readonly failures: readonly (readonly [name: string, text: string])[]
  /** Names of the cases that were skipped, with the message. */
  readonly skips: readonly (readonly [name: string, message: string])[]
}

/** Python is on every machine that runs the tests, and its parser refuses what is not well formed. */
const script = `
import json, sys
import xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
suites = [root] if root.tag == 'testsuite' else root.findall('testsuite')
cases = [case for suite in suites for case in suite.findall('testcase')]
text = lambda node: (node.get('message') or '') + '\\n' + (node.text or '')
print(json.dumps({
  'cases': [case.get('name') for case in cases],
  'failures': [[case.get('name'), text(case.find('failure'))] for case in cases if case.find('failure') is not None],
  'skips': [[case.get('name'), text(case.find('skipped'))] for case in cases if case.find('skipped') is not None],
}))
`

/** Reads a report with an XML parser. */
export async function readJunit(file: string): Promise<JunitReport> {
  const { stdout } = await promisify(execFile)('python3', ['-c', script, file])
  return JSON.parse(stdout) as JunitReport
}

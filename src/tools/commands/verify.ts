import { toIssueText, UsageError } from '../../errors.js'
import type { ConfigIssue } from '../../errors.js'
import { version } from '../../client/headers.js'
import type { KeyName } from '../verify/answer.js'
import { renderJunit } from '../report/render-junit.js'
import { renderText } from '../report/render-text.js'
import { toReport } from '../verify/report.js'
import type { VerifyReport } from '../verify/report.js'
import { verify } from '../verify/verify.js'
import type { VerifyInput } from '../verify/verify.js'
import { exitCodes } from './command.js'
import type { Variables } from './command.js'
import { hasColour, writeReport } from './write-report.js'

/** The values of the options of `vitrine verify`. */
type VerifyValues = Readonly<Record<`${KeyName}Env` | 'junit', string | undefined>> & {
  readonly url: string
  readonly maxRequests: number
  readonly json: boolean
}

/** The longest time for an answer: a busy database may take 5 seconds, and a proxy has its own limit. */
const timeoutMs = 30_000

/**
 * Verifies a deployment, and prints the report.
 *
 * @returns the exit status: 0, 1 if a guarantee is broken, 69 if Vitrine does not answer at the address.
 * @throws UsageError
 */
export async function verifyService(values: VerifyValues, variables: Variables): Promise<number> {
  const input = parseValues(values, variables)
  const report = await verify(input)
  if (!('reason' in report)) {
    await printReport(report, values, variables)
    return report.ok ? 0 : exitCodes.failure
  }
  const { reason, key } = report
  if (key !== undefined)
    throw createUsageError([
      { path: input.names[key] ?? '', found: reason, allowed: 'an API key of this service' },
    ])
  process.stderr.write(`vitrine: ${reason}\n`)
  return exitCodes.unavailable
}

/** What each key must be beside the one that reads. */
const keyNames: Readonly<Record<KeyName, string>> = {
  key: 'an API key',
  otherKey: 'a key of another workspace',
  scopedKey: 'a key that lacks a scope',
  revokedKey: 'a revoked key',
}

/** @throws UsageError with every issue of the keys. */
function parseValues({ url, maxRequests, ...values }: VerifyValues, variables: Variables): VerifyInput {
  const given = (Object.keys(keyNames) as KeyName[]).flatMap((name) => {
    const variable = values[`${name}Env`]
    return variable === undefined ? [] : [{ name, variable, key: variables[variable] ?? '' }]
  })
  const issues = given.flatMap(({ name, variable: path, key }, at): readonly ConfigIssue[] => {
    // The form of RFC 6750, section 2.1. The key itself is never shown.
    if (!/^[\w.~+/-]+=*$/.test(key))
      return [{ path, found: key === '' ? 'nothing' : 'a text that is not a key', allowed: 'an API key' }]
    const isTwice = given.some((other, before) => before < at && other.key === key)
    return isTwice ? [{ path, found: 'the same key', allowed: keyNames[name] }] : []
  })
  if (issues.length > 0) throw createUsageError(issues)
  return {
    url,
    keys: { key: '', ...Object.fromEntries(given.map(({ name, key }) => [name, key])) },
    names: Object.fromEntries(given.map(({ name, variable }) => [name, variable])),
    maxRequests,
    userAgent: `vitrine-verify/${version} Node.js/${process.versions.node}`,
    timeoutMs,
    notify: (text) => process.stderr.write(`${text}\n`),
  }
}

function createUsageError(issues: readonly ConfigIssue[]): UsageError {
  const lines = issues.map((one) => `  ${toIssueText(one)}`)
  return new UsageError(`The command line cannot be used:\n${lines.join('\n')}`)
}

async function printReport(report: VerifyReport, values: VerifyValues, variables: Variables): Promise<void> {
  const text = renderText(toReport(report), hasColour(variables))
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : text)
  const { url, startedAt, durationMs } = report
  const suite = { name: 'vitrine verify', hostname: new URL(url).host, startedAt, durationMs }
  if (values.junit !== undefined) await writeReport(values.junit, renderJunit(toReport(report), suite))
}

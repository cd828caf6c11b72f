import { UsageError } from '../../errors.js'
import { version } from '../../client/headers.js'
import type { KeyName } from '../verify/answer.js'
import { renderText } from '../report/render-text.js'
import { toReport } from '../verify/report.js'
import type { VerifyReport } from '../verify/report.js'
import { verify } from '../verify/verify.js'
import type { VerifyInput } from '../verify/verify.js'
import { exitCodes, toFlag } from './command.js'
import type { Variables } from './command.js'
import { apiKey } from './forms.js'
import { writeReport } from '../report/files.js'

/** The values of the options of `vitrine verify`. */
type VerifyValues = Readonly<Record<`${KeyName}Env` | 'junit', string | undefined>> & {
  readonly url: string
  readonly maxRequests: number
  readonly json: boolean
}

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
    await printReport(report, values)
    return report.ok ? 0 : exitCodes.failure
  }
  const { reason, key } = report
  if (key !== undefined) throw new UsageError(`the variable ${input.names[key] ?? ''} holds ${reason}`)
  process.stderr.write(`vitrine: ${reason}\n`)
  return exitCodes.unavailable
}

/** What each key must be. */
const keyNames: Readonly<Record<KeyName, string>> = {
  key: 'an API key',
  otherKey: 'a key of another workspace',
  scopedKey: 'a key that lacks a scope',
  revokedKey: 'a revoked key',
}

/** @throws UsageError with every issue of the keys. */
function parseValues({ url, maxRequests, ...values }: VerifyValues, variables: Variables): VerifyInput {
  const keys: Partial<Record<KeyName, string>> = {}
  const names: Partial<Record<KeyName, string>> = {}
  const issues: string[] = []
  for (const [name, allowed] of Object.entries(keyNames) as [KeyName, string][]) {
    const variable = values[`${name}Env`]
    if (variable === undefined) continue
    const key = variables[variable] ?? ''
    const isTwice = Object.values(keys).includes(key)
    // By its option: a key can be given by mistake for the name of the variable.
    const option = toFlag(`${name}Env`)
    if (isTwice || apiKey.parse(key) === undefined)
      issues.push(`--${option} needs a variable with ${allowed}; it has ${isTwice ? 'the same' : 'none'}`)
    keys[name] = key
    names[name] = variable
  }
  if (issues.length > 0) throw new UsageError(issues.join('\n'))
  return {
    url,
    keys: { key: '', ...keys },
    names,
    maxRequests,
    userAgent: `vitrine-verify/${version} Node.js/${process.versions.node}`,
    // A busy database may take 5 seconds, and a proxy has its own limit.
    timeoutMs: 30_000,
    notify: (text) => process.stderr.write(`${text}\n`),
  }
}

async function printReport(report: VerifyReport, { json, junit }: VerifyValues): Promise<void> {
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : renderText(toReport(report)))
  const { url, startedAt, durationMs } = report
  const suite = { name: 'vitrine verify', hostname: new URL(url).host, startedAt, durationMs }
  await writeReport(toReport(report), suite, { junit })
}

import { UsageError } from '../../errors.js'
import { findKeyMistake, trimKey } from '../../client/forms.js'
import { version } from '../../client/headers.js'
import type { KeyName } from '../verify/answer.js'
import { renderText } from '../report/render-text.js'
import { toReport } from '../verify/report.js'
import { verify } from '../verify/verify.js'
import type { VerifyInput } from '../verify/verify.js'
import { exitCodes, toFlag } from './command.js'
import type { Variables } from './command.js'
import { serviceAddress } from './forms.js'
import { writeReport } from '../report/files.js'

/** The values of the options of `vitrine verify`. */
type VerifyValues = Readonly<Record<`${KeyName}Env` | 'junit' | 'url', string | undefined>> & {
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
  if ('reason' in report) {
    const { reason, key } = report
    if (key !== undefined) throw new UsageError(`the variable ${input.names[key] ?? ''} holds ${reason}`)
    process.stderr.write(`vitrine: ${reason}\n`)
    return exitCodes.unavailable
  }
  const shown = toReport(report)
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : renderText(shown))
  const { url, startedAt, durationMs, ok } = report
  const suite = { name: 'vitrine verify', hostname: new URL(url).host, startedAt, durationMs }
  await writeReport(shown, suite, { junit: values.junit })
  return ok ? 0 : exitCodes.failure
}

/** What each key must be. */
const keyNames: Readonly<Record<KeyName, string>> = {
  key: 'an API key',
  otherKey: 'a key of another workspace',
  scopedKey: 'a key that lacks a scope',
  revokedKey: 'a revoked key',
}

/** @throws UsageError with every issue of the address and the keys */
function parseValues(
  { url: given, maxRequests, ...values }: VerifyValues,
  variables: Variables,
): VerifyInput {
  const url = given ?? serviceAddress.parse(variables['VITRINE_URL'] ?? '')
  const { keys, names, issues } = readKeys(values, variables)
  if (url === undefined) issues.push(`--url or VITRINE_URL must be ${serviceAddress.allowed}`)
  if (url === undefined || issues.length > 0) throw new UsageError(issues.join('\n'))
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

/** The keys, the variables that hold them, and what is wrong with either. */
function readKeys(values: Readonly<Partial<Record<string, unknown>>>, variables: Variables) {
  const keys: Partial<Record<KeyName, string>> = {}
  const names: Partial<Record<KeyName, string>> = {}
  const issues: string[] = []
  for (const [name, allowed] of Object.entries(keyNames) as [KeyName, string][]) {
    const given = values[`${name}Env`]
    const variable = given ?? (name === 'key' ? 'VITRINE_KEY' : undefined)
    if (typeof variable !== 'string') continue
    const key = trimKey(variables[variable] ?? '')
    const mistake =
      findKeyMistake(key) ?? (Object.values(keys).includes(key) ? 'the key of another option' : undefined)
    // By its option: a key can be given by mistake for the name of the variable.
    const where =
      given === undefined ? `${variable} must be` : `--${toFlag(`${name}Env`)} needs a variable with`
    if (mistake !== undefined) issues.push(`${where} ${allowed}; it has ${mistake}`)
    keys[name] = key
    names[name] = variable
  }
  return { keys, names, issues }
}

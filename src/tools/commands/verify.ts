import { toIssueText, UsageError } from '../../errors.js'
import type { ConfigIssue } from '../../errors.js'
import { version } from '../../client/headers.js'
import type { KeyTexts } from '../verify/caller.js'
import type { KeyNames } from '../verify/curl.js'
import type { KeyName } from '../verify/exchange.js'
import { KeyError, UnreachableError } from '../verify/open-run.js'
import { renderHtml } from '../report/render-html.js'
import { renderJunit } from '../report/render-junit.js'
import { renderText } from '../report/render-text.js'
import { toReport } from '../verify/report.js'
import type { VerifyReport } from '../verify/report.js'
import { verify } from '../verify/verify.js'
import type { VerifyInput } from '../verify/verify.js'
import { exitCodes } from './run-command.js'
import { writeReport } from './write-report.js'

type KeyOption = (typeof keyOptions)[KeyName]['option']

/** The values of the options of `vitrine verify`. */
type VerifyValues = Readonly<Partial<Record<KeyOption | 'junit' | 'html', string>>> & {
  readonly url: string
  readonly 'max-requests'?: number
  readonly json?: boolean
}

type Variables = Readonly<Record<string, string | undefined>>

/** The longest time for an answer: a busy database may take 5 seconds, and a proxy has its own limit. */
const timeoutMs = 30_000
const requestsDefault = 600

/**
 * Verifies a deployment, and prints the report.
 *
 * @returns the exit status: 0, 1 if a guarantee is broken, 69 if Vitrine does not answer at the address.
 * @throws UsageError
 */
export async function verifyService(values: VerifyValues, variables: Variables): Promise<number> {
  const input = parseValues(values, variables)
  try {
    const report = await verify(input)
    await printReport(report, values, variables)
    return report.ok ? 0 : exitCodes.failure
  } catch (error) {
    if (error instanceof UnreachableError) {
      process.stderr.write(`vitrine: ${error.message}\n`)
      return exitCodes.unavailable
    }
    if (!(error instanceof KeyError)) throw error
    const path = input.names[error.from] ?? ''
    throw createUsageError([{ path, found: error.message, allowed: 'an API key of this service' }])
  }
}

/** @throws UsageError with every issue of the keys. */
function parseValues(values: VerifyValues, variables: Variables): VerifyInput {
  const { url, 'max-requests': maxRequests = requestsDefault } = values
  const names: KeyNames = Object.fromEntries(keyNames.map((name) => [name, values[keyOptions[name].option]]))
  const issues = listKeyIssues(names, variables)
  if (issues.length > 0) throw createUsageError(issues)
  return {
    url,
    keys: readKeys(names, variables),
    names,
    maxRequests,
    userAgent: `vitrine-verify/${version} Node.js/${process.versions.node}`,
    timeoutMs,
    notify,
  }
}

function notify(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** The form of RFC 6750, section 2.1. The key itself is never shown. */
const bearerKey = /^[\w.~+/-]+=*$/

/** The option of each key, and what its key is. */
const keyOptions = {
  key: { option: 'key-env', allowed: 'an API key' },
  otherKey: { option: 'other-key-env', allowed: 'a key of another workspace' },
  scopedKey: { option: 'scoped-key-env', allowed: 'a key that lacks a scope' },
  revokedKey: { option: 'revoked-key-env', allowed: 'a revoked key' },
} as const satisfies Record<KeyName, object>
const keyNames = Object.keys(keyOptions) as readonly KeyName[]

function readKeys(names: KeyNames, variables: Variables): KeyTexts {
  const read = (name: KeyName): string => variables[names[name] ?? ''] ?? ''
  const given = keyNames.filter((name) => names[name] !== undefined)
  return { ...Object.fromEntries(given.map((name) => [name, read(name)])), key: read('key') }
}

function listKeyIssues(names: KeyNames, variables: Variables): readonly ConfigIssue[] {
  const keys = readKeys(names, variables)
  const given = keyNames.filter((name) => name === 'key' || names[name] !== undefined)
  return given.flatMap((keyName) => {
    const { option, allowed } = keyOptions[keyName]
    const path = `--${option}`
    const name = names[keyName] ?? ''
    const key = keys[keyName] ?? ''
    if (key === '') return [{ path: name, found: 'nothing', allowed: 'an API key' }]
    if (!bearerKey.test(key))
      return [{ path: name, found: 'a text that is not a key', allowed: 'an API key' }]
    const isTwice = keyName !== 'key' && given.some((other) => other !== keyName && keys[other] === key)
    return isTwice ? [{ path, found: 'the same key', allowed }] : []
  })
}

function createUsageError(issues: readonly ConfigIssue[]): UsageError {
  return new UsageError(
    `The command line cannot be used:\n${issues.map((one) => `  ${toIssueText(one)}\n`).join('')}`.trimEnd(),
  )
}

/** @throws UsageError where a file cannot be written */
async function printReport(report: VerifyReport, values: VerifyValues, variables: Variables): Promise<void> {
  const colour = process.stdout.isTTY && (variables['NO_COLOR'] ?? '') === ''
  const text = renderText(toReport(report), { colour, isList: true })
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : text)
  if (values.junit !== undefined)
    await writeReport({ option: '--junit', file: values.junit, text: toJunit(report) })
  if (values.html !== undefined)
    await writeReport({ option: '--html', file: values.html, text: renderHtml(toReport(report)) })
}

function toJunit(report: VerifyReport): string {
  const { url, startedAt, durationMs } = report
  const suite = { name: 'vitrine verify', hostname: new URL(url).host, startedAt, durationMs }
  return renderJunit(toReport(report), suite)
}

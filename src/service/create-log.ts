import { pino } from 'pino'
import type { DestinationStream, LevelWithSilent, Logger } from 'pino'

/**
 * The log, JSON by the line. Its serializers stand in for pino's and Fastify's: those write every property of an
 * error, which may be a statement or a whole request with its headers, and of a request its URL.
 */
export function createLog(level: LevelWithSilent, output: DestinationStream): Logger {
  const serializers = {
    err: (error: unknown) => toLogged(error, 0),
    cause: toBrief,
    req: () => undefined,
    res: () => undefined,
  }
  return pino({ level, base: null, serializers }, output)
}

/** Of an error only what can hold nothing of a caller. */
interface LoggedError {
  readonly type: string
  readonly message: string
  readonly code?: string | number
  readonly errno?: string | number
  readonly sqlState?: string | number
  readonly stack: readonly string[]
  readonly cause?: unknown
}

/** The same without where it was thrown. */
function toBrief(error: unknown): unknown {
  const logged = toLogged(error, causesMax)
  return typeof logged === 'string' ? logged : { ...logged, stack: undefined }
}

const causesMax = 5

function toLogged(error: unknown, depth: number): LoggedError | string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`
  return {
    type: error.name,
    message: readMessage(error),
    ...readPlain(error, 'code'),
    ...readPlain(error, 'errno'),
    ...readPlain(error, 'sqlState'),
    stack: readStack(error),
    ...(error.cause === undefined || depth === causesMax ? {} : { cause: toLogged(error.cause, depth + 1) }),
  }
}

function readPlain(error: Error, name: 'code' | 'errno' | 'sqlState'): Partial<LoggedError> {
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' || typeof value === 'number' ? { [name]: value } : {}
}

/**
 * Fastify's own errors quote the URL. What a database quotes is a name where it is about access or syntax, as its
 * SQLSTATE tells, and may else be a value.
 */
function readMessage(error: Error): string {
  const { code, sqlState } = { ...readPlain(error, 'code'), ...readPlain(error, 'sqlState') }
  if (typeof code === 'string' && code.startsWith('FST_')) return 'refused by the framework'
  if (sqlState === undefined || /^(?:08|28|42)/.test(String(sqlState))) return error.message
  return error.message.replaceAll(/'.*'|".*"/gs, "'…'")
}

/** Where it was thrown; the text of a stack begins with the message. */
function readStack({ stack = '' }: Error): readonly string[] {
  return stack.split('\n').flatMap((line) => (/^ +at /.test(line) ? [line.trim()] : []))
}

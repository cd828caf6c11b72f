import { pino } from 'pino'
import type { DestinationStream, LevelWithSilent, Logger } from 'pino'
import { escapeUnprintable } from '../client/printable.js'

/**
 * The log: one JSON object per line. Its serializers replace those of pino and Fastify, which write every property of an
 * error, such as a statement or a request with its headers, and the URL of a request.
 */
export function createLog(level: LevelWithSilent, output: DestinationStream): Logger {
  const serializers = {
    err: (error: unknown) => toLogged(error, 0),
    cause: toBrief,
    req: () => undefined,
    res: () => undefined,
  }
  // JSON escapes only some of what a terminal obeys; between the strings there is none of it.
  const write = (line: string): void => {
    output.write(`${escapeUnprintable(line.slice(0, -1))}\n`)
  }
  return pino({ level, base: null, serializers }, { write })
}

/** The parts of an error that contain no data of a caller. */
interface LoggedError {
  readonly type: string
  readonly message: string
  readonly code?: string | number
  readonly errno?: string | number
  readonly sqlState?: string | number
  readonly stack: readonly string[]
  readonly cause?: unknown
}

/** The same without the stack. */
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
 * Errors of Fastify quote the URL. Errors of the database quote names if they are about access or syntax, which the
 * SQLSTATE shows; all others can quote values.
 */
function readMessage(error: Error): string {
  const { code, sqlState } = { ...readPlain(error, 'code'), ...readPlain(error, 'sqlState') }
  if (typeof code === 'string' && code.startsWith('FST_')) return 'rejected by Fastify'
  if (sqlState === undefined || /^(?:08|28|42)/.test(String(sqlState))) return error.message
  return error.message.replaceAll(/'.*'|".*"/gs, "'…'")
}

/** The lines of the stack without the message that it begins with. */
function readStack({ stack = '' }: Error): readonly string[] {
  return stack.split('\n').flatMap((line) => (/^ +at /.test(line) ? [line.trim()] : []))
}

/** Writes log lines in batches. No call throws, and only `end` blocks. */
export interface LogOutput extends DestinationStream {
  /** Writes what is in memory at the end of the process. */
  readonly end: () => void
  /** Lines that could not be written, since the start. */
  readonly countDropped: () => number
}

/** The output of the log to a file or pipe. For a slow reader it keeps 256 KiB and drops the rest. */
export function createLogOutput(fd: number): LogOutput {
  let dropped = 0
  const drop = (): void => {
    dropped += 1
  }
  const options = { sync: false, minLength: 4096, periodicFlush: 100, maxLength: 262_144 }
  const output = pino.destination({ ...options, dest: fd, retryEAGAIN: () => false })
  output.on('drop', drop).on('error', drop)
  return {
    write: (line) => output.write(line),
    end: () => {
      try {
        output.flushSync()
      } catch {
        drop()
      }
    },
    countDropped: () => dropped,
  }
}

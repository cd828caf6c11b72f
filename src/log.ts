import { write, writeSync } from 'node:fs'
import { pino } from 'pino'
import type { DestinationStream, LevelWithSilent, Logger } from 'pino'
import { escapeUnprintable } from './client/text.js'

/** A line that has nothing to escape, as nearly all are. */
const plainLine = /^[\x20-\x7e]*\n$/

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
    output.write(plainLine.test(line) ? line : `${escapeUnprintable(line.slice(0, -1))}\n`)
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

/** How many characters are kept for a slow reader, and how long a line waits for others, in milliseconds. */
const [keptMax, batchMs] = [262_144, 100]

/**
 * The output of the log to a file or pipe. Not pino's: at the end of the process, that one tries for ever to write to a full
 * disk or a closed pipe.
 */
export function createLogOutput(fd: number): LogOutput {
  let [lines, length, dropped]: [string[], number, number] = [[], 0, 0]
  let timer: NodeJS.Timeout | undefined
  const take = (): Buffer => {
    const bytes = Buffer.from(lines.join(''))
    lines = []
    length = 0
    return bytes
  }
  const drop = (bytes: Buffer): void => {
    for (const byte of bytes) if (byte === 10) dropped += 1
  }
  const schedule = (): void => {
    timer ??= setTimeout(() => {
      writeAll(take())
    }, batchMs).unref()
  }
  const writeAll = (bytes: Buffer): void => {
    write(fd, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(writeAll, batchMs, bytes).unref()
      else if (error === null && written < bytes.length) writeAll(bytes.subarray(written))
      else {
        if (error !== null) drop(bytes)
        timer = undefined
        if (length > 0) schedule()
      }
    })
  }
  return {
    write: (line) => {
      if (length + line.length > keptMax) dropped += 1
      else {
        length += line.length
        lines.push(line)
        schedule()
      }
    },
    end: () => {
      for (let bytes = take(); bytes.length > 0;)
        try {
          bytes = bytes.subarray(writeSync(fd, bytes))
        } catch {
          drop(bytes)
          return
        }
    },
    countDropped: () => dropped,
  }
}

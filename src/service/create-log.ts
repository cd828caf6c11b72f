import { write, writeSync } from 'node:fs'
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
export interface LogOutput {
  /** @param line ends with a line feed and has no other. */
  readonly write: (line: string) => void
  /** Writes what is in memory at the end of the process. Waits at most a second for a slow reader. */
  readonly end: () => void
  /** Lines that could not be written, since the start. */
  readonly countDropped: () => number
}

// A write for each line would cost more than making the line.
const batchLength = 4096
const flushEveryMs = 100
/** How much is kept in memory for a slow reader, in characters. */
const bufferedMax = 256 * 1024
const lastFlushMs = 1000
const lineFeed = 10

/**
 * The output of the log to a file or pipe. On a full disk or a closed pipe it drops lines; for a pipe without a reader it
 * keeps `bufferedMax` and drops the rest. The destination of pino repeats a failed write for ever, and at the end of the
 * process it blocks the event loop.
 *
 * @param fd a pipe must be non-blocking; otherwise a write without a reader blocks the process.
 */
export function createLogOutput(fd: number): LogOutput {
  const state: State = { lines: '', batch: Buffer.alloc(0), isTorn: false, isWriting: false, dropped: 0 }
  const flush = (): void => {
    if (state.isWriting || !fillBatch(state)) return
    state.isWriting = true
    write(fd, state.batch, (error, written) => {
      state.isWriting = false
      if (error === null) {
        removeWritten(state, written)
        if (state.batch.length > 0 || state.lines.length >= batchLength) flush()
      } else if (!isBusy(error)) dropLines(state)
    })
  }
  const timer = setInterval(flush, flushEveryMs)
  timer.unref()
  return {
    write: (line) => {
      if (state.batch.length + state.lines.length + line.length > bufferedMax) state.dropped += 1
      else state.lines += line
      if (state.lines.length >= batchLength && state.batch.length === 0) flush()
    },
    end: () => {
      clearInterval(timer)
      // The kernel has the bytes of a write in progress.
      if (state.isWriting) removeWritten(state, state.batch.length)
      writeRest(fd, state)
    },
    countDropped: () => state.dropped,
  }
}

interface State {
  /** Whole lines. */
  lines: string
  /** Bytes of a write in progress, or those that it did not write. */
  batch: Buffer
  /** Whether the last byte written is inside a line. */
  isTorn: boolean
  isWriting: boolean
  dropped: number
}

function fillBatch(state: State): boolean {
  if (state.batch.length === 0) {
    state.batch = Buffer.from(state.lines)
    state.lines = ''
  }
  return state.batch.length > 0
}

function removeWritten(state: State, written: number): void {
  if (written > 0) state.isTorn = state.batch[written - 1] !== lineFeed
  state.batch = state.batch.subarray(written)
}

/** Drops all lines but the rest of a half-written one: otherwise the next line would continue it. */
function dropLines(state: State): void {
  const rest = state.isTorn ? state.batch.indexOf(lineFeed) + 1 : 0
  state.dropped += countLines(state.batch.subarray(rest).toString()) + countLines(state.lines)
  state.batch = state.batch.subarray(0, rest)
  state.lines = ''
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}

function writeRest(fd: number, state: State): void {
  const until = performance.now() + lastFlushMs
  const signal = new Int32Array(new SharedArrayBuffer(4))
  while (fillBatch(state)) {
    try {
      removeWritten(state, writeSync(fd, state.batch))
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) return
      Atomics.wait(signal, 0, 0, 10)
    }
  }
}

/** Whether a pipe is full. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN'
}

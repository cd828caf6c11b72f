import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describeUnusable } from '../errors.js'
import { isRecord, parseJson } from '../client/forms.js'
import { privateMode, toFileError, writableFile } from './copy.js'
import type { Lock } from './copy.js'

/*
 * The lock of a process is a file of its own beside the copy, which the process writes again every two seconds. Another
 * process reads it for seven seconds: a file that changes has a process, and one that does not has lost it. So it works
 * between containers that share nothing but a volume, whatever ended a process, and no clocks are compared.
 *
 * Each process creates its file before it looks for others: of two, at least one sees the other and withdraws.
 *
 * A process that was paused, such as on a laptop that slept, can have lost its lock without knowing. It creates its temporary
 * files, verifies that its lock file is still there, and then renames. The process that takes over removes the lock file
 * and the temporary files before it reads the copy. So in any order the rename is earlier than that reading, or it fails.
 */

/** How often a lock is written, and how often another process reads it before it counts as left. */
export interface LockTiming {
  readonly beatMs: number
  readonly pollMs: number
  readonly polls: number
}

const usual: LockTiming = { beatMs: 2000, pollMs: 500, polls: 14 }

/**
 * Locks a copy against other pulls on its volume.
 *
 * @param path absolute, without symbolic links.
 * @throws ConfigError if another process holds it, or the file system cannot have a lock.
 */
export async function lockCopy(path: string, timing: LockTiming = usual): Promise<Lock> {
  let left: readonly string[] = []
  for (;;) {
    const lock = createLock(path, randomUUID(), timing)
    const others = listFiles(path, lockPattern).filter((file) => !file.includes(lock.token))
    if (others.every((file) => left.includes(file))) {
      for (const file of [...others, ...listFiles(path, temporaryPattern)]) rmSync(file, { force: true })
      return lock
    }
    lock.release()
    left = await watch(path, others, timing)
    // Two processes that started at the same time are to meet again at another one.
    await delay(timing.pollMs * Math.random())
  }
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const lockPattern = new RegExp(`^\\.${uuid}\\.lock$`)
/** Those of earlier releases have no token. */
const temporaryPattern = new RegExp(`^(?:\\.state)?(?:\\.${uuid})?\\.(?:part|tmp)$`)

/** The files beside a path whose names are its name and an end. */
function listFiles(path: string, ends: RegExp): readonly string[] {
  const [folder, name] = [dirname(path), basename(path)]
  return readdirSync(folder)
    .filter((one) => one.startsWith(name) && ends.test(one.slice(name.length)))
    .map((one) => join(folder, one))
}

/** Creates the file of a lock, and writes it until its release. */
function createLock(path: string, token: string, { beatMs }: LockTiming): Lock {
  const file = `${path}.${token}.lock`
  const since = new Date().toISOString()
  let beats = 0
  const beat = (fd: number): void => {
    const text = JSON.stringify({ host: hostname(), process: process.pid, since, beats: (beats += 1) })
    writeSync(fd, `${text}\n`, 0)
  }
  const fd = tryLock(path, file, beat)
  // A disk that fails for a moment ends no pull.
  const timer = setInterval(() => {
    ignoreErrors(() => {
      beat(fd)
    })
  }, beatMs)
  // The lock alone does not keep the process alive.
  timer.unref()
  return {
    token,
    verify: () => {
      beat(fd)
      // Opened, because a network volume may answer any other question from its cache.
      if (readLock(file) === undefined) throw toFileError(path, 'a lock of another pull', takenOver)
    },
    release: () => {
      clearInterval(timer)
      closeSync(fd)
      const temporary = listFiles(path, temporaryPattern).filter((one) => one.includes(token))
      for (const one of [...temporary, file]) rmSync(one, { force: true })
    },
  }
}

const takenOver =
  'one pull at a time: this one was paused until another took over, and has not changed the copy since'

/** Errors of a file that any file system can have. */
const plainErrors = /^(EACCES|EPERM|EROFS|EDQUOT|ENOENT|ENAMETOOLONG|EMFILE)$/

/** @throws ConfigError where a file cannot be created once, written in place and read again, as on some network volumes */
function tryLock(path: string, file: string, beat: (fd: number) => void): number {
  let fd: number | undefined
  try {
    fd = openSync(file, 'wx', privateMode)
    beat(fd)
    if (readLock(file) === undefined || !listFiles(path, lockPattern).includes(file)) throw new Error('lost')
    return fd
  } catch (error) {
    if (fd !== undefined) closeSync(fd)
    ignoreErrors(() => {
      rmSync(file, { force: true })
    })
    const { code = 'what was written is not there' } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC') throw error
    if (plainErrors.test(code)) throw toFileError('--to', describeUnusable(path, error), writableFile)
    throw toFileError(path, `a file system without locks (${code})`, 'a folder on a disk of this machine')
  }
}

/** The text of a lock; undefined if it is gone. */
function readLock(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Reads locks until one changes. @returns those that were left @throws ConfigError with the holder */
async function watch(
  path: string,
  files: readonly string[],
  { pollMs, polls }: LockTiming,
): Promise<readonly string[]> {
  const before = files.map(readLock)
  for (let poll = 0; poll < polls; poll += 1) {
    await delay(pollMs)
    const now = files.map(readLock)
    const held = now.find((text, at) => text !== undefined && text !== before[at])
    if (held !== undefined)
      throw toFileError(path, `a file that another pull is writing${describe(held)}`, 'one pull at a time')
    if (now.every((text) => text === undefined)) return []
  }
  return files
}

/** Who holds a lock; nothing where its text does not say so. */
function describe(text: string): string {
  const lock = parseJson(text)
  if (!isRecord(lock)) return ''
  return `: process ${String(lock['process'])} on host ${String(lock['host'])}, since ${String(lock['since'])}`
}

function ignoreErrors(run: () => void): void {
  try {
    run()
  } catch {
    // What failed is not needed.
  }
}

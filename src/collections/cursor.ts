import { hash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { parseJson } from '../client/forms.js'
import { Problem } from '../problems.js'
import { findSettled } from '../database/heartbeat.js'
import type { Proof } from '../database/heartbeat.js'
import { findEarlier, parseInstantText, toInstantText } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import type { ResolvedTable } from './resolved-table.js'
import { listTimeRanges } from './time-fields.js'

/** The longest `eventId` or `status`, in UTF-16 units. */
export const filterLengthMax = 200

/** What a list is filtered by; a filter that is not sent is undefined. */
export interface Filters {
  readonly updatedSince: Instant | undefined
  readonly eventId: string | undefined
  readonly status: string | undefined
}

/** The last row of the page before, as the database wrote it: a page can begin behind a zero date too. */
export interface Position {
  readonly updatedAt: string | null
  /** NULL for a row whose id is NULL, which is never shown. */
  readonly id: string | null
  /** How its rows are ordered, as `toOrder` says it; undefined in a cursor of a release before 3.1. */
  readonly order?: string | undefined
}

/** What a crawl knows of its beginning. */
export interface Crawl {
  readonly filters: Filters
  /** When the crawl began, by the database's clock. */
  readonly startedAt: Instant
  /** Before it, no transaction began whose changes a page of the crawl lacks; undefined where that is not known. */
  readonly oldestOpen?: Instant | undefined
}

/** The state of a crawl: all that a cursor carries. */
export interface CrawlState extends Crawl {
  readonly position: Position
}

/** Where a cursor is valid: nowhere but in this collection and workspace. */
export interface CursorScope {
  readonly collection: string
  readonly workspaceId: string
}

/*
 * A cursor is base64url of 12 bytes of checksum, a JSON list, and the order in blanks, over which releases before 3.1 read. It holds
 * no secret: the checksum covers the workspace, and every value in it is checked and then bound, so a forged cursor shows no more
 * than a list does.
 */
const checksumBytes = 12
const version = 1
/** A date and time, or an integer since 1970. */
const timePattern =
  '^(\\d{4}-(0\\d|1[0-2])-([0-2]\\d|3[01]) ([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?|-?\\d{1,20})$'
/** The longest `id`, in UTF-16 units: no index takes a longer one. */
const idLengthMax = 3072

const orNull = (maxLength: number) => Type.Union([Type.String({ maxLength }), Type.Null()])
const members = [
  Type.Literal(version),
  Type.Union([Type.String({ pattern: timePattern }), Type.Null()]),
  orNull(idLengthMax),
  Type.String(),
  orNull(filterLengthMax),
  orNull(filterLengthMax),
  orNull(filterLengthMax),
] as const
/** The last member is there only where it is known: releases before it make and accept cursors without it. */
const Payload = Type.Union([Type.Tuple([...members]), Type.Tuple([...members, Type.String()])])
type Payload = Static<typeof Payload>
const isPayload = TypeCompiler.Compile(Payload)

/** The state of a crawl as opaque text: letters, digits, `-` and `_`. @param position of the last row */
export function encodeCursor(crawl: Crawl, position: Position, scope: CursorScope): string {
  const { filters, startedAt, oldestOpen } = crawl
  const json = JSON.stringify([
    version,
    position.updatedAt,
    position.id,
    toInstantText(startedAt),
    filters.updatedSince === undefined ? null : toInstantText(filters.updatedSince),
    filters.eventId ?? null,
    filters.status ?? null,
    ...(oldestOpen === undefined ? [] : [toInstantText(oldestOpen)]),
  ])
  const list = Buffer.byteLength(json) > listBytesMax ? json.replaceAll(escaped, toCharacter) : json
  return seal(list + (position.order ?? ''), scope)
}

/** A longer list would not fit into a URL. It has its control characters as they are, which releases before 3.1 refuse. */
const listBytesMax = 5500
const escaped = /\\(?:u00([01][0-9a-f])|.)/g

function toCharacter(whole: string, digits: string | undefined): string {
  return digits === undefined ? whole : String.fromCharCode(parseInt(digits, 16))
}

function toEscaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The inverse of `encodeCursor`; undefined for any text that it did not make for this scope. */
export function decodeCursor(text: string, scope: CursorScope): CrawlState | undefined {
  const json = Buffer.from(text, 'base64url').toString('utf8', checksumBytes)
  // Node ignores what is not base64url, and replaces what is not UTF-8; only the text that was made is accepted.
  if (seal(json, scope) !== text) return undefined
  const payload = parsePayload(json)
  return payload && toCrawlState(payload, json.slice(json.trimEnd().length))
}

/** The list that a cursor carries; undefined for another text, of a forged one. */
function parsePayload(json: string): Payload | undefined {
  const value = parseJson(json.trimEnd().replaceAll(/[\x00-\x1f]/g, toEscaped))
  return isPayload.Check(value) ? value : undefined
}

function toCrawlState(payload: Payload, order: string): CrawlState | undefined {
  const [, updatedAt, id, started, since, eventId, status, oldest] = payload
  const texts = [started, since, oldest]
  const instants = texts.map((text) => (typeof text === 'string' ? parseInstantText(text) : undefined))
  const isLost = texts.some((text, at) => typeof text === 'string' && instants[at] === undefined)
  const [startedAt, updatedSince, oldestOpen] = instants
  // No crawl and no transaction began before 1970; nextUpdatedSince of a forged one could not be written.
  const isStart = (instant: Instant | undefined): boolean => instant === undefined || instant.seconds >= 0
  if (isLost || startedAt === undefined || !isStart(startedAt) || !isStart(oldestOpen)) return undefined
  return {
    filters: { updatedSince, eventId: eventId ?? undefined, status: status ?? undefined },
    startedAt,
    oldestOpen,
    position: { updatedAt, id, order: order === '' ? undefined : order },
  }
}

const blanks = [' ', '\t', '\n', '\r']

/** How the rows of lists are ordered, as blanks of JSON: a position leads to the rows behind it in this order only. */
export function toOrder({ id, updatedAt }: Pick<ResolvedTable, 'id' | 'updatedAt'>): string {
  // A server can give one collation by its old name and by its new one.
  const collation = id.column.collation?.replace(/^utf8_/, 'utf8mb3_')
  const times = listTimeRanges(updatedAt).map(({ column: { kind, fractionDigits }, unchanged }) =>
    [kind, fractionDigits, unchanged].join(),
  )
  const order = [id.identifier, collation, updatedAt.zone?.name, updatedAt.epoch, ...times]
  const digits = hash('sha256', JSON.stringify(order)).slice(0, 12)
  return digits.replaceAll(/./g, (digit) => blanks[parseInt(digit, 16) % blanks.length] ?? '')
}

/** The problem of a cursor that was not made for this list; `what` continues the sentence after "The cursor". */
export function createInvalidCursor(what = 'is not of this list and workspace, or it was changed'): Problem {
  const detail = `The cursor ${what}. Start again without a cursor, with the same updatedSince.`
  return new Problem('invalid_cursor', detail, { parameter: 'cursor' })
}

/** @throws Problem `invalid_cursor` for a position in another order than that of the table. */
export function requireSameOrder(
  { order: own, updatedAt: time }: Pick<ResolvedTable, 'order' | 'updatedAt'>,
  { updatedAt, order = own }: Position,
): void {
  if (order !== own) throw createInvalidCursor('was made before the order of the list changed')
  // Releases before 3.1 did not say the order.
  if (updatedAt !== null && /^-?\d+$/.test(updatedAt) !== (time.epoch !== undefined))
    throw createInvalidCursor()
}

function seal(json: string, { collection, workspaceId }: CursorScope): string {
  // The scope is a JSON list too, so that two scopes cannot give the same bytes.
  const checksum = hash('sha256', JSON.stringify([collection, workspaceId]) + json, 'base64url')
  // Base64url writes three bytes as four characters, and so ends the checksum where it begins the list.
  return checksum.slice(0, (checksumBytes / 3) * 4) + Buffer.from(json).toString('base64url')
}

/**
 * A crawl after one more page. It began at the earliest instant up to which one of its pages is complete, so that no row is lost
 * at any lag, at whatever server each page is read. Late commits and differences of clocks are what the overlap is for.
 *
 * @param before the crawl until this page; undefined for the first one.
 * @param proof of the page; undefined where its statement selects no clock, or found no row.
 * @param clock of the database when the page was asked for, or before; for a first page without a proof.
 */
export function continueCrawl(
  filters: Filters,
  before: Crawl | undefined,
  proof: Proof | undefined,
  clock: Instant | undefined,
): Crawl {
  if (before === undefined) return toCrawl(filters, proof ?? { complete: clock, oldestOpen: undefined })
  // A page without a proof proves no more than the pages before it.
  if (proof === undefined || isUnproved(before)) return before
  const { complete, oldestOpen } = proof
  // Of pages by two mappings, one does not say how late a commit can be.
  const isMixed = (before.oldestOpen === undefined) !== (oldestOpen === undefined)
  return toCrawl(filters, {
    complete: isMixed ? undefined : complete && findEarlier(complete, before.startedAt),
    oldestOpen: oldestOpen && findEarlier(oldestOpen, before.oldestOpen),
  })
}

function toCrawl(filters: Filters, { complete, oldestOpen }: Pick<Proof, 'complete' | 'oldestOpen'>): Crawl {
  return complete === undefined
    ? { filters, startedAt: toUnproved(filters) }
    : { filters, startedAt: complete, oldestOpen }
}

/** A crawl of which nothing is proved counts as begun where its rows begin: then the next sync repeats it. */
function toUnproved({ updatedSince }: Filters): Instant {
  return updatedSince === undefined || updatedSince.seconds < 0 ? { seconds: 0, micros: 0 } : updatedSince
}

function isUnproved({ filters, startedAt }: Crawl): boolean {
  const { seconds, micros } = toUnproved(filters)
  return startedAt.seconds === seconds && startedAt.micros === micros
}

/** The `updatedSince` of the next sync, cut to the millisecond: an earlier instant loses no row. */
export function toNextUpdatedSince(crawl: Crawl, overlapSeconds: number): string {
  const { startedAt, oldestOpen } = crawl
  const next =
    oldestOpen === undefined
      ? { ...startedAt, seconds: startedAt.seconds - overlapSeconds }
      : findSettled(startedAt, oldestOpen)
  const text = toInstantText(isUnproved(crawl) ? startedAt : next)
  if (text === undefined) throw new Error('The clock of the database is out of range')
  return `${text.slice(0, 23)}Z`
}

import { hash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { parseInstantText, toInstantText } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import type { CrawlState } from './conditions.js'

/** What a cursor is good for: it is refused in any other collection or workspace. */
export interface CursorScope {
  readonly collection: string
  readonly workspaceId: string
}

/*
 * A cursor is base64url of 12 bytes of checksum and a JSON list. It holds no secret: the checksum covers the
 * workspace, and every value in it is checked and then bound, so a made-up cursor sees no more than a list.
 */
const checksumBytes = 12
/** In base64url, which writes three bytes as four characters and so ends the checksum where it begins the list. */
const checksumLength = (checksumBytes / 3) * 4
const version = 1
const timePattern = '^\\d{4}-(0\\d|1[0-2])-([0-2]\\d|3[01]) ([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?$'
const Nullable = Type.Union([Type.String(), Type.Null()])

const payload = TypeCompiler.Compile(
  Type.Tuple([
    Type.Literal(version),
    Type.Union([Type.String({ pattern: timePattern }), Type.Null()]),
    Type.String(),
    Type.String(),
    Nullable,
    Nullable,
    Nullable,
  ]),
)

/** A crawl's state as opaque text: letters, digits, `-` and `_`. */
export function encodeCursor(state: CrawlState, scope: CursorScope): string {
  const { filters, position } = state
  const json = JSON.stringify([
    version,
    position.updatedAt,
    position.id,
    toInstantText(state.startedAt),
    filters.updatedSince === undefined ? null : toInstantText(filters.updatedSince),
    filters.eventId ?? null,
    filters.status ?? null,
  ])
  const bytes = Buffer.from(json)
  return computeChecksum(bytes, scope) + bytes.toString('base64url')
}

/** The inverse of `encodeCursor`; undefined for any text that it did not make for this scope. */
export function decodeCursor(text: string, scope: CursorScope): CrawlState | undefined {
  const bytes = Buffer.from(text, 'base64url')
  // Node passes over what is not base64url, and the last character has bits to spare: only one text is right.
  if (bytes.toString('base64url') !== text) return undefined
  const json = bytes.subarray(checksumBytes)
  if (computeChecksum(json, scope) !== text.slice(0, checksumLength)) return undefined
  return toCrawlState(parseJson(json.toString()))
}

function toCrawlState(value: unknown): CrawlState | undefined {
  if (!payload.Check(value)) return undefined
  const [, updatedAt, id, startedText, sinceText, eventId, status] = value
  const startedAt = parseInstantText(startedText)
  const updatedSince: Instant | undefined = sinceText === null ? undefined : parseInstantText(sinceText)
  // No crawl began before 1970; a made-up one that did would have no instant to go on from.
  if (startedAt === undefined || startedAt.seconds < 0 || (sinceText !== null && updatedSince === undefined))
    return undefined
  return {
    filters: { updatedSince, eventId: eventId ?? undefined, status: status ?? undefined },
    startedAt,
    position: { updatedAt, id },
  }
}

/** Over the bytes, not the text: broken UTF-8 of several kinds reads as the same text. */
function computeChecksum(json: Buffer, { collection, workspaceId }: CursorScope): string {
  // A JSON list before the JSON list, so that no two scopes run together.
  const covered = Buffer.concat([Buffer.from(JSON.stringify([collection, workspaceId])), json])
  return hash('sha256', covered, 'base64url').slice(0, checksumLength)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { basePath, documentCall } from './caller.js'
import type { Caller, CallerInput, KeyTexts } from './caller.js'
import { createNoAnswer, describe, isObject, isProblem, toObject } from './exchange.js'
import type { Exchange, KeyName } from './exchange.js'
import { readPage } from './pages.js'
import { collectionNames, createRun } from './run.js'
import type { Access, Collection, CollectionName, Run, Shared } from './run.js'

/** Why nothing can be verified: Vitrine does not answer at the address, or does not accept a key. */
export interface NoRun {
  readonly reason: string
  /** The key that is not accepted. */
  readonly key?: KeyName
}

/** Finds out what there is to verify. */
export async function openRun(
  caller: Caller,
  { keys, maxRequests }: Pick<CallerInput, 'keys' | 'maxRequests'>,
): Promise<Shared | NoRun> {
  const empty = { caller, keys, maxRequests, samples: new Map<CollectionName, undefined>(), collections: [] }
  const run = createRun({ ...empty, document: createNoAnswer(documentCall) })
  const document = await run.ask(documentCall)
  const collections: Collection[] = []
  for (const name of collectionNames) collections.push(await openCollection(run, name, keys))
  if (run.verdict.isStopped)
    return { reason: `Nothing can be verified: ${run.verdict.conclude().reasons.join('; ')}` }
  return (
    findStranger(document, collections) ??
    findRefusedKey(caller, collections) ?? { ...empty, collections, document }
  )
}

/** The keys that read: the revoked one reads nothing. */
const readers = ['key', 'otherKey', 'scopedKey'] as const

async function openCollection({ ask }: Run, name: CollectionName, keys: KeyTexts): Promise<Collection> {
  const path = `/${name}`
  const first = await ask({ path, query: { limit: 1 } })
  const access: Partial<Record<KeyName, Access>> = { key: toAccess(first) }
  for (const from of readers.slice(1))
    if (keys[from] !== undefined) access[from] = toAccess(await ask({ path, from, query: { limit: 1 } }))
  return { name, path, access, first }
}

function toAccess(exchange: Exchange): Access {
  if (readPage(exchange) !== undefined) return 'readable'
  if (exchange.status === 403) return 'forbidden'
  return exchange.status === 404 ? 'absent' : 'broken'
}

/** At least one of the answers must be one that only Vitrine gives, and not each of them the 404 of another path. */
function findStranger(document: Exchange, collections: readonly Collection[]): NoRun | undefined {
  const exchanges = [document, ...collections.map(({ first }) => first)]
  const isOurs = exchanges.some(
    (one) =>
      readPage(one) !== undefined ||
      isObject(toObject(one.json)['paths']) ||
      (isProblem(one) && typeof toObject(one.json)['code'] === 'string'),
  )
  if (isOurs && exchanges.some(({ status }) => status !== 404)) return undefined
  const { location } = document.headers
  const answer = `${describe(document)}${location === undefined ? '' : `, a redirect to ${location}`}`
  return {
    reason: `This is not the API of Vitrine: ${document.url} answers ${answer}. The address is what stands before ${basePath}, with the prefix of a proxy.`,
  }
}

function findRefusedKey({ exchanges }: Caller, collections: readonly Collection[]): NoRun | undefined {
  for (const key of readers) {
    const refused = exchanges.find(({ call, status }) => call.from === key && status === 401)
    if (refused !== undefined) return { key, reason: `a key that the service refuses: ${describe(refused)}` }
  }
  const isUsable = collections.some(({ access }) => access.key === 'readable' || access.key === 'broken')
  return isUsable
    ? undefined
    : { key: 'key', reason: 'a key without the scope of a collection that is served' }
}

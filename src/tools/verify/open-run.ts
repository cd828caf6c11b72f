import { basePath, documentCall, SkipError } from './caller.js'
import type { Caller, CallerInput, KeyTexts } from './caller.js'
import { describe, isObject, isProblem, toObject } from './exchange.js'
import type { Exchange, KeyName } from './exchange.js'
import { readPage } from './pages.js'
import { collectionNames, createSampler } from './run.js'
import type { Access, Collection, CollectionName, Run } from './run.js'
import { UnreachableError } from './send.js'

/** The service does not accept a key. */
export class KeyError extends Error {
  override readonly name = 'KeyError'
  readonly from: KeyName

  constructor(from: KeyName, message: string) {
    super(message)
    this.from = from
  }
}

/** Finds out what there is to verify. @throws UnreachableError, KeyError */
export async function openRun(
  caller: Caller,
  { keys, maxRequests }: Pick<CallerInput, 'keys' | 'maxRequests'>,
): Promise<Omit<Run, 'verdict'>> {
  try {
    const document = await caller.ask(documentCall)
    const collections: Collection[] = []
    for (const name of collectionNames) collections.push(await openCollection(caller, name, keys))
    requireVitrine([document, ...collections.map(({ first }) => first)])
    requireKeys(caller, collections)
    return { caller, collections, document, keys, findSample: createSampler(caller, maxRequests) }
  } catch (error) {
    if (error instanceof SkipError)
      throw new UnreachableError(`Nothing can be verified: ${error.message}.`, { cause: error })
    throw error
  }
}

/** The keys that read: the revoked one reads nothing. */
const readers = ['key', 'otherKey', 'scopedKey'] as const

async function openCollection(caller: Caller, name: CollectionName, keys: KeyTexts): Promise<Collection> {
  const path = `/${name}`
  const first = await caller.ask({ path, query: { limit: 1 } })
  const access: Partial<Record<KeyName, Access>> = { key: toAccess(first) }
  for (const from of readers.slice(1))
    if (keys[from] !== undefined)
      access[from] = toAccess(await caller.ask({ path, from, query: { limit: 1 } }))
  return { name, path, access, first }
}

function toAccess(exchange: Exchange): Access {
  if (readPage(exchange) !== undefined) return 'readable'
  if (exchange.status === 403) return 'forbidden'
  return exchange.status === 404 ? 'absent' : 'broken'
}

/** At least one of the answers must be one that only Vitrine gives, and not each of them the 404 of another path. */
function requireVitrine(exchanges: readonly Exchange[]): void {
  const isOurs = exchanges.some(
    (one) =>
      readPage(one) !== undefined ||
      isDocument(one) ||
      (isProblem(one) && typeof toObject(one.json)['code'] === 'string'),
  )
  const [document] = exchanges
  const isElsewhere = exchanges.every(({ status }) => status === 404)
  if ((isOurs && !isElsewhere) || document === undefined) return
  const { location } = document.headers
  const answer = `${describe(document)}${location === undefined ? '' : `, a redirect to ${location}`}`
  throw new UnreachableError(
    `This is not the API of Vitrine: ${document.url} answers ${answer}. The address is what stands before ${basePath}, with the prefix of a proxy.`,
  )
}

function isDocument({ json }: Exchange): boolean {
  return isObject(json) && typeof json['openapi'] === 'string' && isObject(json['paths'])
}

function requireKeys({ exchanges }: Caller, collections: readonly Collection[]): void {
  for (const from of readers) {
    const refused = exchanges.find(({ call, status }) => call.from === from && status === 401)
    if (refused !== undefined)
      throw new KeyError(from, `a key that the service refuses: ${describe(refused)}`)
  }
  const isUsable = collections.some(({ access }) => access.key === 'readable' || access.key === 'broken')
  if (!isUsable) throw new KeyError('key', 'a key without the scope of a collection that is served')
}

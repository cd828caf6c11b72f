import { Agent, request } from 'undici'
import type { Asker } from './callers.js'
import type { Nuisance } from './nuisances.js'

/** How often somebody was answered, and what was wrong. */
export interface Score {
  readonly name: string
  answers: number
  wrong: number
}

/** Everybody at once, for as long as it is not stopped. */
export interface SoakLoad {
  readonly scores: readonly Score[]
  /** The first of what was wrong. */
  readonly faults: readonly string[]
  readonly stop: () => Promise<void>
}

/** More than these tell nothing new. */
const faultsMax = 20

/** Lets everybody ask, one request after the other. */
export function startSoakLoad(
  origin: string,
  askers: readonly Asker[],
  nuisances: readonly Nuisance[],
): SoakLoad {
  const agent = new Agent({ connections: null, pipelining: 1 })
  const faults: string[] = []
  let going = true
  const goOn = async (score: Score, turn: () => Promise<string | undefined>): Promise<void> => {
    while (going) {
      const fault = await turn().catch((error: unknown) => String(error))
      score.answers += 1
      if (fault === undefined) continue
      score.wrong += 1
      if (faults.length < faultsMax) faults.push(`${score.name}: ${fault}`)
    }
  }
  const seats = [
    ...askers.map((asker) => ({ name: asker.name, turn: () => ask(origin, agent, asker) })),
    ...nuisances.map(({ name, bother }) => ({ name, turn: () => bother(Number(new URL(origin).port)) })),
  ].map(({ name, turn }) => ({ score: { name, answers: 0, wrong: 0 }, turn }))
  const done = seats.map(({ score, turn }) => goOn(score, turn))
  return {
    scores: seats.map(({ score }) => score),
    faults,
    stop: async () => {
      going = false
      await Promise.all(done)
      await agent.close()
    },
  }
}

async function ask(origin: string, dispatcher: Agent, asker: Asker): Promise<string | undefined> {
  const { path, key, ifNoneMatch, findError } = asker.next()
  const answer = await request(`${origin}${path}`, {
    dispatcher,
    headers: {
      authorization: `Bearer ${key}`,
      ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
    },
  })
  const text = await answer.body.text()
  const { etag } = answer.headers
  const fault = findError({
    status: answer.statusCode,
    text,
    etag: typeof etag === 'string' ? etag : undefined,
  })
  return fault === undefined ? undefined : `${fault} at ${path.slice(0, 200)}: ${text.slice(0, 200)}`
}

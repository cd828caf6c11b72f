import { documentCall } from '../caller.js'
import { describe, readMediaType, toObject } from '../exchange.js'
import type { Call, Exchange } from '../exchange.js'
import type { Check, Checks, Run } from '../run.js'

/** Processes behind a load balancer get new connections in turn, or by chance. */
const connections = 10

/** The document, and a page of every collection, over new connections. */
const checkProcesses: Check = async (run) => {
  const lists = run.collections.map(({ path }): Call => ({ path, query: { limit: 100 } }))
  for (const call of [documentCall, ...lists]) await expectOneAnswer(run, call)
}

/** Data that changed do not change back: an answer that comes again after another one is of another process. */
async function expectOneAnswer({ caller, verdict }: Run, call: Call): Promise<void> {
  const seen: string[] = []
  for (let turn = 0; turn < connections; turn += 1) {
    const exchange = await caller.ask({ ...call, headers: { connection: 'close' } })
    const text = renderContent(exchange)
    const isBack = seen.includes(text) && seen.at(-1) !== text
    const got = `two answers in turn, over new connections: ${describe(exchange)} is one of them`
    const expected = 'the same answer from every process: do all have the same release and mapping file?'
    if (!verdict.expect(!isBack, exchange, got, expected)) return
    seen.push(text)
  }
}

/** What does not depend on the instant of the request. */
function renderContent({ status, json }: Exchange): string {
  const { data, meta, openapi, paths, components, code } = toObject(json)
  return JSON.stringify([status, data, toObject(meta)['epoch'], openapi, paths, components, code])
}

/** The page that describes the API, for people. */
const checkDocs: Check = async ({ caller, verdict }) => {
  const headers = { accept: 'text/html' }
  const page = await caller.ask({ path: '/docs', below: 'root', from: 'none', headers })
  const isPage = page.status === 200 && readMediaType(page.headers) === 'text/html'
  verdict.expect(isPage, page, describe(page), '200 text/html: the documentation')
}

/** The service as a whole: its processes, and its documentation. */
export const serviceChecks: Checks = {
  processes: checkProcesses,
  docs: checkDocs,
}

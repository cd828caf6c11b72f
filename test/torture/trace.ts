import type { Ledger } from './ledger.js'
import type { Visible } from './table.js'

/** What readers read, as `test/protocol/trace.qnt` checks it. */
export interface Trace {
  readonly steps: readonly object[]
  /** Writes down a page, and whether it is the first one of a crawl. */
  readonly read: (crawl: TracedCrawl, isFirst: boolean, page: Visible) => void
  /** Writes down the table at the end of a crawl, while nothing is written. */
  readonly end: (crawl: TracedCrawl, ledger: Ledger, visible: Visible) => void
}

/** A crawl of a reader: what it asked for, and the round in which it began. */
interface TracedCrawl {
  readonly reader: number
  readonly since: string | undefined
  readonly begunRound: number
}

/** Creates an empty trace. */
export function createTrace(): Trace {
  const steps: object[] = []
  const versions = new Map<string, number>()
  const toRow = (id: string, version: string, done: number) => {
    const number = versions.get(version) ?? versions.size
    versions.set(version, number)
    return { id: Number(id), at: toMs(version.split(' ')[0]), version: number, done }
  }
  return {
    steps,
    read: ({ reader, since }, isFirst, page) => {
      const rows = [...page].map(([id, version]) => toRow(id, version, 0))
      steps.push({ tag: 'Read', value: { reader, since: toMs(since), isFirst, rows } })
    },
    end: ({ reader, since, begunRound: complete }, ledger, visible) => {
      const rows = [...ledger.rows].flatMap(({ id, touched }) => {
        const version = visible.get(id)
        return version === undefined ? [] : [[Number(id), toRow(id, version, touched)]]
      })
      steps.push({ tag: 'Ended', value: { reader, since: toMs(since), complete, rows: { '#map': rows } } })
    },
  }
}

function toMs(instant = '1970-01-01'): number {
  return Date.parse(instant)
}

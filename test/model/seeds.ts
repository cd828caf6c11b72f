import { inject } from 'vitest'
import { withAccount } from '../product/server.js'
import { afterFile } from '../support/after-file.js'
import { useThrowaway } from '../support/service.js'
import { drawProduct } from './draw-product.js'
import { runProduct } from './run-product.js'
import type { Failure, Stage } from './run-product.js'
import { connect, renderCreate, renderInsert } from './server.js'

/** The server of the run as a place where products run; it is opened once. */
export function useStage(): () => Promise<Stage> {
  const { adminUrl } = inject('server')
  const throwaway = useThrowaway()
  let stage: Promise<Stage> | undefined
  let databases = 0
  const open = async (): Promise<Stage> => {
    const connection = await connect(adminUrl)
    afterFile(() => connection.end())
    const prefix = `vitrine_model_${process.pid}_${crypto.randomUUID().slice(0, 8)}`
    return {
      connection,
      toUrl: (database) => withAccount(adminUrl, { database }),
      nameDatabase: () => {
        const name = `${prefix}_${databases++}`
        throwaway.undo({ do: 'sql', url: adminUrl, statements: [`DROP DATABASE IF EXISTS ${name}`] })
        return name
      },
    }
  }
  return () => (stage ??= open())
}

/** Runs the product of a seed on the server of the run. */
export function useModel(): (seed: number) => Promise<void> {
  const { isMariaDb } = inject('server')
  const openStage = useStage()
  return async (seed) => {
    const stage = await openStage()
    const failure = await runProduct(stage, drawProduct(seed, isMariaDb), seed)
    if (failure !== undefined) throw new Error(formatFailure(seed, failure))
  }
}

/** A failure for people: how it is repeated, the product, the request, and both answers. */
function formatFailure(seed: number, { difference, product, question, log }: Failure): string {
  const { apiKeys, ...mapping } = product.mapping
  const tables = product.tables.filter(({ name }) => name !== apiKeys['table'])
  const key = question === undefined ? undefined : product.keys[question.key]
  return [
    `MODEL_SEED=${seed} npm run model repeats this: ${difference.what}`,
    ...tables.map((table) => `${renderCreate(table)};`),
    ...tables
      .filter(({ rows, viewOf }) => rows.length > 0 && viewOf === undefined)
      .map((table) => `${toReadable(renderInsert(table))};`),
    `mapping: ${JSON.stringify(mapping, null, 1).replaceAll(/\n\s+/g, ' ')}`,
    `request: ${difference.request}`,
    key === undefined
      ? ''
      : `key: workspace ${JSON.stringify(product.workspaces[key.workspace])}, ${key.state}`,
    `expected: ${JSON.stringify(difference.expected)}`,
    `actual: ${JSON.stringify(difference.actual)}`,
    `log: ${log.slice(0, 3000)}`,
  ].join('\n')
}

/** Texts as people read them; the bytes of other columns stay hexadecimal. */
function toReadable(sql: string): string {
  return sql.replaceAll(/_utf8mb4 x'([0-9a-f]*)'/g, (_, hex: string) =>
    JSON.stringify(Buffer.from(hex, 'hex').toString()),
  )
}

import { inject } from 'vitest'
import { withAccount } from '../product/server.js'
import { afterFile } from '../support/after-file.js'
import { makeFolder } from '../support/folder.js'
import { useThrowaway } from '../support/service.js'
import type { Stage } from './run-product.js'
import { connect } from './server.js'

/** The server of the run as a place where products run; it is opened once. */
export function useStage(): () => Promise<Stage> {
  const { adminUrl } = inject('server')
  const throwaway = useThrowaway()
  const folder = makeFolder()
  let stage: Promise<Stage> | undefined
  let databases = 0
  const open = async (): Promise<Stage> => {
    const connection = await connect(adminUrl)
    afterFile(() => connection.end())
    const prefix = `vitrine_model_${process.pid}_${crypto.randomUUID().slice(0, 8)}`
    return {
      connection,
      folder,
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

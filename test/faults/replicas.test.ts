import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localPrograms } from '../support/local-programs.js'
import { playFault, toTable } from './play.js'
import type { Row } from './play.js'
import { isWanted } from './fault.js'
import { replicaFaults } from './replica-faults.js'
import { openReplicaStage } from './replica-stage.js'
import type { ReplicaStage } from './replica-stage.js'

/*
 * A primary with two replicas, of each server that this machine can run, behind services whose DATABASE_URL names all
 * three. It wants servers of its own: it kills and freezes them.
 */

/** Enough for each caller to come to each host, whichever it is that must not answer. */
const roundsMin = 10
const rounds = Math.max(roundsMin, Number(process.env['FAULTS_ROUNDS'] ?? 1))
const faults = replicaFaults.filter(({ name }) => isWanted(name))

describe.skipIf(faults.length === 0).each(Object.entries(localPrograms))(
  'of three hosts of %s',
  (name, program) => {
    if (program === undefined) {
      process.stderr.write(`Skipped: replicas of ${name}, which this machine has not; see .ci/mysql.sh\n`)
      test.skip('no host could be started', () => undefined)
      return
    }
    const rows: Row[] = []
    let stage: ReplicaStage
    beforeAll(async () => {
      stage = await openReplicaStage(program)
    })
    afterAll(async () => {
      process.stderr.write(`faults of a primary with two replicas of ${name}:\n${toTable(rows)}\n`)
      const wrong = stage.load.outcomes.filter(({ as }) => as !== 'right')
      for (const { as, detail } of wrong.slice(0, 5)) process.stderr.write(`${as}: ${detail}\n`)
      await stage.close()
    })

    test('no request fails that one could answer, and each serves again by itself', async () => {
      for (const fault of faults) {
        const row = await playFault(stage, fault, rounds)
        rows.push(row)
        expect.soft(row.wrong.join('\n'), row.fault).toBe('')
        expect.soft(row.refused, row.fault).toBe(0)
      }
    })

    test('a service ends in order while one of them is frozen', async () => {
      const [frozen] = stage.cluster.replicas
      frozen.signal('SIGSTOP')
      await stage.expectHost(frozen, { up: false, lag: 'none' })
      await stage.load.stop()
      const begun = performance.now()
      await Promise.all(stage.services.map((service) => service.end('SIGTERM')))
      // Ten seconds are the grace, after which a process is ended by force.
      expect(performance.now() - begun).toBeLessThan(8000)
      frozen.signal('SIGCONT')
    })
  },
)

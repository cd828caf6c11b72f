import { setTimeout as delay } from 'node:timers/promises'

/** Asks again and again; two minutes are far beyond what anything here takes, also on a busy machine. */
export async function waitFor(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + 120_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}`)
    await delay(20)
  }
}

import { expect } from 'vitest'

/** Waits until nothing answers at an address any more. */
export async function expectDown(origin: string): Promise<void> {
  const ask = (): Promise<string> =>
    fetch(origin).then(
      () => 'up',
      () => 'down',
    )
  await expect.poll(ask, { timeout: 60_000 }).toBe('down')
}

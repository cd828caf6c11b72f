/** Numbers that look random and are the same on every run. */
export interface Random {
  /** 0 to `below` - 1. */
  readonly whole: (below: number) => number
  readonly pick: <Item>(items: readonly Item[]) => Item
  /** Lower-case hexadecimal digits. */
  readonly hex: (length: number) => string
}

/** Mulberry32: small, and good enough for seeds. Source: Tommy Ettinger, public domain. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (below: number): number => Math.floor(next() * below)
  return {
    whole,
    pick: (items) => {
      const item = items[whole(items.length)]
      if (item === undefined) throw new Error('Nothing to pick from')
      return item
    },
    hex: (length) => Array.from({ length }, () => whole(16).toString(16)).join(''),
  }
}

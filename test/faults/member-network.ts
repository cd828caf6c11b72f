import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Janitor } from '../product/janitor.js'

/** A network inside this machine, in which each member of a cluster has an address of its own and can be cut off. */
export interface MemberNetwork {
  readonly toAddress: (id: number) => string
  /** The words before a command that runs at the address of a member. */
  readonly toCommand: (id: number) => readonly string[]
  /** Drops everything between two members; this machine still reaches both. */
  readonly cut: (one: number, other: number) => void
  readonly heal: () => void
}

const ip = '/usr/sbin/ip'

/** Whether this process may make network namespaces. */
export const canMakeNetworks = process.getuid?.() === 0 && existsSync(ip)

/** Makes the network; the janitor removes it. */
export function makeMemberNetwork(ids: readonly number[], janitor: Janitor): MemberNetwork {
  const number = addBridge()
  const bridge = `vitrine${number}`
  const toAddress = (id: number): string => `10.88.${number}.${id}`
  const toSpace = (id: number): string => `${bridge}-${id}`
  janitor.add({ do: 'command', file: ip, args: ['link', 'del', bridge] })
  run('addr', 'add', `10.88.${number}.254/24`, 'dev', bridge)
  run('link', 'set', bridge, 'up')
  for (const id of ids) {
    const [space, link] = [toSpace(id), `vt${number}-${id}`]
    run('netns', 'add', space)
    janitor.add({ do: 'command', file: ip, args: ['netns', 'del', space] })
    run('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
    // A namespace lives a little longer than its last process, and keeps the names of its links until then.
    janitor.add({ do: 'command', file: ip, args: ['link', 'del', link] })
    run('link', 'set', link, 'master', bridge, 'up')
    run('-n', space, 'addr', 'add', `${toAddress(id)}/24`, 'dev', 'eth0')
    run('-n', space, 'link', 'set', 'eth0', 'up')
    run('-n', space, 'link', 'set', 'lo', 'up')
  }
  const cuts = new Set<string>()
  return {
    toAddress,
    toCommand: (id) => [ip, 'netns', 'exec', toSpace(id)],
    cut: (one, other) => {
      for (const [from, to] of [
        [one, other],
        [other, one],
      ] as const) {
        run('-n', toSpace(from), 'route', 'add', 'blackhole', toAddress(to))
        cuts.add(`${toSpace(from)} ${toAddress(to)}`)
      }
    },
    heal: () => {
      for (const cut of cuts) {
        const [space, address] = cut.split(' ')
        run('-n', space!, 'route', 'del', 'blackhole', address!)
      }
      cuts.clear()
    },
  }
}

/** Adds a bridge with the first number that no other run has taken. */
function addBridge(): number {
  for (let number = 1; number < 255; number += 1)
    if (spawnSync(ip, ['link', 'add', `vitrine${number}`, 'type', 'bridge']).status === 0) return number
  throw new Error('No network could be made')
}

function run(...args: readonly string[]): void {
  execFileSync(ip, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

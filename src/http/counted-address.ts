import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'

/**
 * The address that limits count a caller by. IPv6 addresses count by their /64, because a caller can choose any address in it. The header of a proxy can hold any
 * text; all texts that are not addresses count as one.
 */
export function toCountedAddress(address: string): string {
  return isIP(address) === 0 ? 'unknown' : normalizeIP(address, 64)
}

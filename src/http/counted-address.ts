import ipaddr from 'ipaddr.js'

/**
 * The address that limits count a caller by. IPv6 addresses count by their /64, because a caller can choose any address in
 * it, and an IPv4 address in IPv6 form as itself. The header of a proxy can hold any text; all texts that are not addresses
 * count as one.
 */
export function toCountedAddress(text: string): string {
  if (!ipaddr.isValid(text)) return 'unknown'
  const address = ipaddr.process(text)
  return 'parts' in address ? address.parts.slice(0, 4).join(':') : address.toString()
}

/** Each byte as MySQL's latin1, which is windows-1252, shows it. */
const bytes = new Map(
  Array.from(new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, at) => at))).map(
    (character, byte) => [character, byte] as const,
  ),
)

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Whether a text is UTF-8 whose bytes were read as latin1: its own bytes are UTF-8 with letters of several bytes. */
export function isStoredAsLatin1(text: string): boolean {
  const own = Array.from(text, (character) => bytes.get(character))
  if (own.includes(undefined) || own.every((byte) => byte !== undefined && byte < 0x80)) return false
  try {
    utf8.decode(Uint8Array.from(own.map((byte) => byte ?? 0)))
    return true
  } catch {
    return false
  }
}

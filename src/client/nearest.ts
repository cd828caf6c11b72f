/**
 * The name that a mistyped one probably means, without regard to case: one with few edits, or else one that is a part of it
 * or that it is a part of. Undefined where no name is near.
 */
export function findNearest(typed: string, names: Iterable<string>): string | undefined {
  const text = typed.toLowerCase()
  const find = (isNear: (name: string) => boolean) => [...names].find((one) => isNear(one.toLowerCase()))
  return (
    find((name) => isWithin(text, name, 1)) ??
    find((name) => text.length > 3 && isWithin(text, name, 2)) ??
    // `timeout` is a part of `timeoutMs`, and `key` is a part of `apiKey`.
    find((name) => text.length > 2 && name.length > 2 && (name.includes(text) || text.includes(name)))
  )
}

/** Whether at most so many characters changed, added or removed make one text the other. */
function isWithin(one: string, other: string, edits: number): boolean {
  if (edits < 0 || one === '' || other === '') return one.length + other.length <= edits
  const [rest, otherRest] = [one.slice(1), other.slice(1)]
  if (one[0] === other[0]) return isWithin(rest, otherRest, edits)
  const left = edits - 1
  return isWithin(rest, otherRest, left) || isWithin(rest, other, left) || isWithin(one, otherRest, left)
}

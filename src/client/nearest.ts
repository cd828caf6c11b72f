/** A name that a mistyped one can mean; undefined if no name is near. */
export function findNearest(typed: string, names: readonly string[]): string | undefined {
  const text = typed.toLowerCase()
  const edits = text.length > 3 ? 2 : 1
  return names.find((one) => {
    const name = one.toLowerCase()
    // `timeout` is a part of `timeoutMs`, and `key` is a part of `apiKey`.
    const isPart = text.length > 2 && name.length > 2 && (name.includes(text) || text.includes(name))
    return isPart || isWithin(text, name, edits)
  })
}

/** Whether at most so many characters changed, added or removed make one text the other. */
function isWithin(one: string, other: string, edits: number): boolean {
  if (edits < 0 || one === '' || other === '') return one.length + other.length <= edits
  const [rest, otherRest] = [one.slice(1), other.slice(1)]
  if (one[0] === other[0]) return isWithin(rest, otherRest, edits)
  const left = edits - 1
  return isWithin(rest, otherRest, left) || isWithin(rest, other, left) || isWithin(one, otherRest, left)
}

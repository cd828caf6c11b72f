/**
 * The name that a misspelled one probably means: the one with the fewest edits, without regard to case. Undefined where
 * every name differs in more than two fifths of its characters.
 */
export function findNearest(name: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined
  let least = Infinity
  for (const candidate of names) {
    const edits = countEdits(name.toLowerCase(), candidate.toLowerCase())
    const isNear = edits <= Math.ceil(Math.max(name.length, candidate.length) * 0.4)
    if (!isNear || edits >= least) continue
    nearest = candidate
    least = edits
  }
  return nearest
}

/** Characters that are inserted, deleted or replaced (Levenshtein). */
function countEdits(from: string, to: string): number {
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 0; row < from.length; row += 1) {
    const next = [row + 1]
    for (let column = 1; column <= to.length; column += 1) {
      const [left = 0, above = 0, diagonal = 0] = [next[column - 1], last[column], last[column - 1]]
      next[column] = Math.min(left + 1, above + 1, diagonal + (from[row] === to[column - 1] ? 0 : 1))
    }
    last = next
  }
  return last[to.length] ?? 0
}

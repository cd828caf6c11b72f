import type { Candidate, Pick, Question } from './candidate.js'

/** How much better the first candidate must be to be taken without a question. */
const clearLead = 3

/** A person who chooses. @throws Cancelled when the person ends the dialogue. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/**
 * Asks on the terminal: for tables and tenants always, for other places where the first candidate is not clearly the
 * best one or has to be verified. The dialogue is on stderr, so that stdout has nothing but the mapping.
 */
export async function createAsk(): Promise<Pick> {
  const { select, isCancel, log } = await import('@clack/prompts')
  return async <Value>(question: Question<Value>) => {
    const { path, wanted, candidates, optional = false } = question
    if (!isWorthAsking(question)) return candidates[0]
    const [best] = candidates
    if (best?.verify !== undefined) log.info(best.verify, { output: process.stderr })
    const answer = await select({
      message: `${path}: ${wanted}`,
      output: process.stderr,
      options: [
        ...candidates
          .slice(0, 7)
          .map((candidate, at) => ({ value: at, label: candidate.label, hint: toHint(candidate) })),
        { value: -1, label: optional ? 'leave it out' : 'none of these: write TODO' },
      ],
    })
    if (isCancel(answer)) throw new Cancelled('nothing was written')
    return candidates[answer]
  }
}

function toHint({ reasons, score }: Candidate<unknown>): string {
  return `${reasons.join('; ')} (${Math.round(score * 10) / 10})`
}

function isWorthAsking({ path, candidates }: Question<unknown>): boolean {
  const [best, second] = candidates
  if (best === undefined) return false
  if (/(?:\.table|\.workspace|^apiKeys)$/.test(path)) return true
  return best.verify !== undefined || (second !== undefined && best.score - second.score < clearLead)
}

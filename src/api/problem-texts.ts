import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { ProblemCode } from '../problems.js'

/** When a problem happens, and what to do, for the developer of a client. */
interface ProblemText {
  readonly meaning: string
  readonly remedy: string
}

/** The texts of each problem, for `/docs`, the OpenAPI document and `/mcp`. */
export const problemTexts = parse(
  readFileSync(new URL('./problem-texts.yaml', import.meta.url), 'utf8'),
) as Readonly<Record<ProblemCode, ProblemText>>

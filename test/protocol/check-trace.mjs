// `node check-trace.mjs trace.itf.json` prints what `trace.qnt` finds wrong with a trace in the Informal Trace Format.
import { readFileSync } from 'node:fs'
import quint from '@informalsystems/quint'
import itf from '@informalsystems/quint/dist/src/itf.js'
import random from '@informalsystems/quint/dist/src/rng.js'
import evaluating from '@informalsystems/quint/dist/src/runtime/impl/evaluator.js'
import recording from '@informalsystems/quint/dist/src/runtime/trace.js'

const toJson = (value) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one))

const path = quint.fileSourceResolver().lookupPath(import.meta.dirname, 'trace.qnt')
const { table, modules, errors } = quint.parse(
  quint.newIdGenerator(),
  'trace.qnt',
  path,
  readFileSync('trace.qnt', 'utf8'),
)
const mistakes = [...errors, ...quint.analyzeModules(table, modules)[0]]
if (mistakes.length > 0) throw new Error(toJson(mistakes))

const { expr } = modules.at(-1).declarations.find(({ name }) => name === 'wrong')
const evaluator = new evaluating.Evaluator(table, recording.noExecutionListener, random.newRng())
// Without a state it is an error, and finds the variables.
evaluator.evaluate(expr)
evaluator.updateState(itf.ofItf(JSON.parse(readFileSync(process.argv[2], 'utf8')))[0])
const result = evaluator.evaluate(expr)
if (result.isLeft()) throw new Error(toJson(result.value))
process.stdout.write(toJson(result.value.args.map(({ args }) => args.map(({ value }) => value))))

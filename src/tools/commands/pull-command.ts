import type { CollectionName } from '../../client/index.js'
import { UsageError } from '../../errors.js'
import { defineCommand } from './define-command.js'
import { keyVariable, oneOf, pause, percentage } from './forms.js'

const collectionNames: readonly CollectionName[] = ['registrations', 'invoices']
const collectionName = oneOf(...collectionNames)

/** `pull`, a command of `vitrine` and the program `vitrine-pull` of the integrators' package. */
export const pullCommand = defineCommand({
  name: 'pull',
  argument: 'COLLECTION',
  summary: 'update a copy of the registrations or the invoices, over HTTP',
  options: {
    all: { help: 'in place of COLLECTION: every collection that the key may read' },
    url: { value: 'U', help: 'the public address of the service; VITRINE_URL without it' },
    'key-env': {
      value: 'NAME',
      form: keyVariable,
      help: 'the environment variable that holds the API key; VITRINE_KEY without it',
    },
    to: {
      value: 'FILE',
      isRequired: true,
      help: '.ndjson, with its state in FILE.state; or .sqlite, with Node 22.13 or later;\n- writes NDJSON to stdout, without state;\nwith --all a folder, for NDJSON, or .sqlite',
    },
    'updated-since': {
      value: 'TIME',
      help: 'with --to -: only records that changed since; the summary on stderr has the next TIME',
    },
    'event-id': { value: 'E', help: 'only records of this event; a copy keeps its filters' },
    status: { value: 'S', help: 'only records with this status' },
    full: {
      help: 'read everything again, and remove records that were archived;\nit exits with 1 instead of removing more than 100 records and more than half of the copy',
    },
    scrub: {
      value: 'PERCENT',
      form: percentage,
      help: 'also compare this share of the copy with the service, and remove records that were archived:\n5, with --watch as much as makes a cycle an hour; 0 turns it off',
    },
    'allow-removals': { help: 'with --full: remove any number of records' },
    watch: { value: 'PAUSE', form: pause, help: 'repeat for ever, with this pause, such as 30s, 5m or 1h' },
    json: { help: 'print the summary as JSON' },
  },
  run: async (values, args) => {
    const collections = values.all ? collectionNames : args.flatMap((one) => collectionName.parse(one) ?? [])
    const rules = [
      [
        collections.length === 0 || args.length !== (values.all ? 0 : 1),
        'pull needs registrations, invoices or --all',
      ],
      [
        values.all && (values.updatedSince ?? values.status) !== undefined,
        '--all takes no --updated-since and no --status',
      ],
      [values.allowRemovals && !values.full, '--allow-removals needs --full'],
    ] as const
    const broken = rules.find(([isBroken]) => isBroken)
    if (broken !== undefined) throw new UsageError(broken[1])
    const { pull } = await import('./pull.js')
    process.exitCode = await pull({ ...values, collections }, process.env)
  },
})

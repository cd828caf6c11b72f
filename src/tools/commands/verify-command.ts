import { defineCommand } from './define-command.js'
import { keyVariable, serviceAddress, wholeNumber, writableFile } from './forms.js'

/** `vitrine verify`. */
export const verifyCommand = defineCommand({
  name: 'verify',
  summary:
    'verify that a deployment keeps the contract, over HTTP and with requests that change nothing;\nexits with 1 if a guarantee is broken, and with 69 if Vitrine does not answer at the address',
  options: {
    url: { value: 'U', form: serviceAddress, isRequired: true, help: 'the public address of the service' },
    'key-env': {
      value: 'NAME',
      form: keyVariable,
      isRequired: true,
      help: 'the environment variable that holds an API key',
    },
    'other-key-env': {
      value: 'NAME',
      form: keyVariable,
      help: 'the one that holds a key of another workspace, to verify that each sees only its own',
    },
    'scoped-key-env': {
      value: 'NAME',
      form: keyVariable,
      help: 'the one that holds a key without one of the scopes',
    },
    'revoked-key-env': { value: 'NAME', form: keyVariable, help: 'the one that holds a revoked key' },
    'max-requests': {
      value: 'N',
      form: wholeNumber('a whole number', 1, 100_000),
      default: 600,
      help: 'send at most so many requests (600)',
    },
    json: { help: 'print the report as JSON' },
    junit: { value: 'FILE', form: writableFile, help: 'also write the report as JUnit XML' },
    html: { value: 'FILE', form: writableFile, help: 'also write the report as one page' },
  },
  run: async (values) => {
    const { verifyService } = await import('./verify.js')
    process.exitCode = await verifyService(values, process.env)
  },
})

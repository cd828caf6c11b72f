import { defineCommand } from './define-command.js'

/** `verify`: whether a deployment keeps the contract, by its address and keys alone. */
export const verifyCommand = defineCommand({
  name: 'verify',
  summary:
    'verify that a deployment keeps the contract, over HTTP and with requests that change nothing;\nexits with 1 if a guarantee is broken, and with 69 if Vitrine does not answer at the address',
  options: {
    url: { value: 'U', help: 'the public address of the service' },
    'key-env': { value: 'NAME', help: 'the environment variable that holds an API key' },
    'other-key-env': {
      value: 'NAME',
      help: 'the one that holds a key of another workspace, to verify that each sees only its own',
    },
    'scoped-key-env': { value: 'NAME', help: 'the one that holds a key without one of the scopes' },
    'revoked-key-env': { value: 'NAME', help: 'the one that holds a revoked key' },
    'max-requests': { value: 'N', help: 'send at most so many requests (600)' },
    json: { help: 'print the report as JSON' },
    junit: { value: 'FILE', help: 'also write the report as JUnit XML' },
  },
  run: async (values) => {
    const { verifyService } = await import('./verify.js')
    const { url, json = false, junit, 'max-requests': maxRequests } = values
    const names = {
      key: values['key-env'],
      otherKey: values['other-key-env'],
      scopedKey: values['scoped-key-env'],
      revokedKey: values['revoked-key-env'],
    }
    const colour = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === ''
    const input = { url, names, maxRequests, json, junitFile: junit, colour }
    process.exitCode = await verifyService(input, process.env)
  },
})

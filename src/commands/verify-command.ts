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
    'max-requests': { value: 'N', help: 'send at most so many requests (500)' },
    json: { help: 'print the report as JSON' },
    junit: { value: 'FILE', help: 'also write the report as JUnit XML' },
  },
  run: async (values) => {
    const { verifyService } = await import('./verify.js')
    const { url, json = false, junit } = values
    const { 'key-env': keyEnv, 'other-key-env': otherKeyEnv, 'max-requests': maxRequests } = values
    const colour = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === ''
    const input = { url, keyEnv, otherKeyEnv, maxRequests, json, junitFile: junit, colour }
    process.exitCode = await verifyService(input, process.env)
  },
})

import type { Operation } from './read-document.js'

/** A program that sends the request of an operation. */
export interface Sample {
  readonly language: string
  readonly label: string
  readonly code: string
}

/** What a sample is made of. */
interface SampleInput {
  /** The URL of the service. */
  readonly service: string
  /** The URL of the operation. */
  readonly url: string
  /** The collection, such as `registrations`. */
  readonly collection: string
  /** The name of one record, such as `registration`. */
  readonly one: string
  /** The record that is requested; undefined for a list. */
  readonly id: string | undefined
}

/**
 * The samples of an operation. The key is in the environment: nobody should have it in a program or in a shell's history.
 *
 * @param service the URL of the service, without a slash at its end.
 * @param basePath what comes before the path of the operation.
 */
export function createSamples(operation: Operation, service: string, basePath: string): readonly Sample[] {
  const collection = operation.tag
  const id = operation.path.includes('{id}') ? readExampleId(operation) : undefined
  const path = operation.path.replace('{id}', encodeURIComponent(id ?? ''))
  const input: SampleInput = {
    service,
    url: `${service}${basePath}${path}`,
    collection,
    one: collection.replace(/s$/, ''),
    id,
  }
  return [
    { language: 'bash', label: 'curl', code: renderCurl(input) },
    { language: 'typescript', label: 'TypeScript', code: renderTypeScript(input) },
    { language: 'python', label: 'Python', code: renderPython(input) },
  ]
}

function readExampleId({ success }: Operation): string {
  const { id = 'ID' } = (success.example ?? {}) as { readonly id?: string }
  return id
}

function renderCurl({ url, id }: SampleInput): string {
  const header = '-H "Authorization: Bearer $VITRINE_KEY"'
  return id === undefined
    ? `curl -G "${url}" \\\n  ${header} \\\n  -d limit=100`
    : `curl "${url}" \\\n  ${header}`
}

function renderTypeScript({ service, collection, one, id }: SampleInput): string {
  const start = `import { createClient } from 'vitrine-client'

const client = createClient({
  url: '${service}',
  key: process.env.VITRINE_KEY ?? '',
})`
  if (id !== undefined)
    return `${start}
const ${one} = await client.${collection}.get('${id}')
console.log(${one}.id, ${one}.status)`
  return `${start}
for await (const ${one} of client.${collection}.list()) {
  console.log(${one}.id, ${one}.status)
}`
}

function renderPython({ url, one, id }: SampleInput): string {
  const start = `import os, requests

url = "${url}"
headers = {"Authorization": "Bearer " + os.environ["VITRINE_KEY"]}
`
  if (id !== undefined)
    return `${start}response = requests.get(url, headers=headers, timeout=30)
response.raise_for_status()
${one} = response.json()
print(${one}["id"], ${one}["status"])`
  return `${start}params = {"limit": 100}
while params:
    response = requests.get(url, params, headers=headers, timeout=30)
    response.raise_for_status()
    page = response.json()
    for ${one} in page["data"]:
        print(${one}["id"], ${one}["status"])
    cursor = page["meta"]["cursor"]
    params = {"limit": 100, "cursor": cursor} if cursor else None`
}

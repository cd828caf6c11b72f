import { html } from '../../html.js'
import type { Html } from '../../html.js'
import { highlight, renderCodeBlock } from './markdown.js'
import type { Operation } from './read-document.js'

/** A program that sends the request of an operation. */
export interface Sample {
  readonly language: string
  readonly label: string
  readonly code: Html
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
  readonly isList: boolean
}

/** A part of a sample that follows the form: the name of its slot, and its text while the form is empty. */
type Slots = Readonly<Record<'QUERY' | 'ID' | 'VARIABLE' | 'HEADERS', string>>

interface Language {
  readonly language: string
  readonly label: string
  readonly render: (input: SampleInput) => string
  /** The text of the query while the form is empty; `docs.js` writes it the same way when the form is filled in. */
  readonly query: string
}

const languages: readonly Language[] = [
  { language: 'bash', label: 'curl', render: renderCurl, query: " \\\n  --data-urlencode 'limit=100'" },
  { language: 'typescript', label: 'TypeScript', render: renderTypeScript, query: '{ pageSize: 100 }' },
  { language: 'python', label: 'Python', render: renderPython, query: '"limit": 100' },
  { language: 'go', label: 'Go', render: renderGo, query: '"limit": {"100"}' },
  { language: 'php', label: 'PHP', render: renderPhp, query: "'limit' => 100" },
]

/**
 * The samples of an operation. The key is in the environment: it should not be in a program or in a shell's history.
 *
 * @param service the URL of the service, without a slash at its end.
 * @param basePath what comes before the path of the operation.
 */
export function createSamples(operation: Operation, service: string, basePath: string): readonly Sample[] {
  const collection = operation.tag
  const isList = !operation.path.includes('{id}')
  const url = `${service}${basePath}${operation.path.replace('{id}', 'SLOT_ID')}`
  const input = { service, url, collection, one: collection.replace(/s$/, ''), isList }
  const id = readExampleId(operation)
  return languages.map(({ language, label, render, query }) => {
    const slots = {
      QUERY: query,
      ID: language === 'typescript' ? `'${id}'` : encodeURIComponent(id),
      VARIABLE: 'VITRINE_KEY',
      HEADERS: '',
    }
    return { language, label, code: renderCodeBlock(fillSlots(highlight(render(input), language), slots)) }
  })
}

/** Replaces the names of slots by elements with their texts, whose content the script of the page changes. */
function fillSlots({ markup }: Html, slots: Slots): Html {
  const filled = markup.replace(
    /SLOT_(QUERY|ID|VARIABLE|HEADERS)/g,
    (_, name: keyof Slots) => html`<span data-slot="${name.toLowerCase()}">${slots[name]}</span>`.markup,
  )
  return { markup: filled }
}

function readExampleId({ success }: Operation): string {
  const { id = 'ID' } = (success.example ?? {}) as { readonly id?: string }
  return id
}

function renderCurl({ url, isList }: SampleInput): string {
  return `curl ${isList ? '-G ' : ''}"${url}" \\
  -H "Authorization: Bearer $SLOT_VARIABLE"SLOT_HEADERS${isList ? 'SLOT_QUERY' : ''}`
}

function renderTypeScript({ service, collection, one, isList }: SampleInput): string {
  const start = `// npm install ${service}/docs/vitrine-client.tgz
import { createClient } from 'vitrine-client'

const client = createClient({
  url: '${service}',
  key: process.env.SLOT_VARIABLE ?? '',
})`
  if (!isList)
    return `${start}
const ${one} = await client.${collection}.get(SLOT_ID)
console.log(${one}.id, ${one}.status)`
  return `${start}
for await (const ${one} of client.${collection}.list(SLOT_QUERY)) {
  console.log(${one}.id, ${one}.status)
}`
}

function renderPython({ url, one, isList }: SampleInput): string {
  const start = `import os, requests

url = "${url}"
headers = {"Authorization": "Bearer " + os.environ["SLOT_VARIABLE"]}
`
  if (!isList)
    return `${start}response = requests.get(url, headers=headers, timeout=30)
response.raise_for_status()
${one} = response.json()
print(${one}["id"], ${one}["status"])`
  return `${start}params = {SLOT_QUERY}
while True:
    response = requests.get(url, params, headers=headers, timeout=30)
    response.raise_for_status()
    page = response.json()
    for ${one} in page["data"]:
        print(${one}["id"], ${one}["status"])
    params["cursor"] = page["meta"]["cursor"]
    if params["cursor"] is None:
        break`
}

function renderGo({ url, one, isList }: SampleInput): string {
  const start = renderGoStart(one, isList)
  if (!isList)
    return `${start}	var one ${one}
	get("${url}", &one)
	fmt.Println(one.ID, one.Status)
}`
  return `${start}	query := url.Values{SLOT_QUERY}
	for {
		var page struct {
			Data []${one}
			Meta struct{ Cursor string }
		}
		get("${url}?"+query.Encode(), &page)
		for _, one := range page.Data {
			fmt.Println(one.ID, one.Status)
		}
		if page.Meta.Cursor == "" {
			return
		}
		query.Set("cursor", page.Meta.Cursor)
	}
}`
}

/** The function that sends a request; Go's library has none that checks the status. */
function renderGoStart(one: string, isList: boolean): string {
  return `package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
${isList ? '\t"net/url"\n' : ''}	"os"
)

type ${one} struct{ ID, Status string }

func get(url string, target any) {
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("SLOT_VARIABLE"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != 200 {
		log.Fatal(response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(target); err != nil {
		log.Fatal(err)
	}
}

func main() {
`
}

function renderPhp({ url, one, isList }: SampleInput): string {
  const start = `<?php
$http = ['header' => 'Authorization: Bearer ' . getenv('SLOT_VARIABLE')];
$context = stream_context_create(['http' => $http]);
`
  const print = `echo $${one}->id, ' ', $${one}->status, "\\n";`
  if (!isList)
    return `${start}$body = file_get_contents('${url}', false, $context) ?: exit(1);
$${one} = json_decode($body);
${print}`
  return `${start}$query = [SLOT_QUERY];
do {
    $url = '${url}?' . http_build_query($query);
    $page = json_decode(file_get_contents($url, false, $context) ?: exit(1));
    foreach ($page->data as $${one}) {
        ${print}
    }
    $query['cursor'] = $page->meta->cursor;
} while ($query['cursor']);`
}

import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { html } from '../../html.js'
import type { Html } from '../../html.js'
import { highlight, renderCodeBlock } from './markdown.js'
import type { Operation } from './read-document.js'

/** What samples name of the service. */
interface SampleService {
  /** Its URL, without a slash at its end. */
  readonly service: string
  /** What comes before the path of an operation. */
  readonly basePath: string
  /** The name of the file of the package for integrators. */
  readonly packageFile: string
}

/** A program that sends the request of an operation. */
export interface Sample {
  readonly language: string
  readonly label: string
  readonly code: Html
}

/** An entry of `samples.yaml`. */
type Template = Readonly<Record<'language' | 'label' | 'query' | 'start' | 'list' | 'record', string>>

/** A part of a sample that follows the form: the name of its slot, and its text while the form is empty. */
type Slots = Readonly<Record<'QUERY' | 'ID' | 'VARIABLE' | 'HEADERS', string>>

const templates = parse(
  readFileSync(new URL('./samples.yaml', import.meta.url), 'utf8'),
) as readonly Template[]

/** The samples of an operation. The key is in the environment: it should not be in a program or in a shell's history. */
export function createSamples(
  operation: Operation,
  { service, basePath, packageFile }: SampleService,
): readonly Sample[] {
  const collection = operation.tag
  const isList = !operation.path.includes('{id}')
  const values: Readonly<Record<string, string>> = {
    service,
    packageFile,
    url: `${service}${basePath}${operation.path.replace('{id}', 'SLOT_ID')}`,
    collection,
    one: collection.replace(/s$/, ''),
    listImport: isList ? '\t"net/url"\n' : '',
  }
  const id = readExampleId(operation)
  return templates.map(({ language, label, query, start, list, record }) => {
    const program = `${start}${isList ? list : record}`
    const code = program.replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
    const slots = {
      QUERY: query,
      ID: language === 'typescript' ? `'${id}'` : encodeURIComponent(id),
      VARIABLE: 'VITRINE_KEY',
      HEADERS: '',
    }
    return { language, label, code: renderCodeBlock(fillSlots(breakPaths(highlight(code, language)), slots)) }
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

/** Lets a long URL break after a slash of its path. */
function breakPaths({ markup }: Html): Html {
  return { markup: markup.replace(/(?<=\w)\/(?=\w)/g, '/<wbr>') }
}

function readExampleId({ success }: Operation): string {
  const { id = 'ID' } = (success.example ?? {}) as { readonly id?: string }
  return id
}

/* The members of the OpenAPI document that tests read. */

type Named<Part> = Readonly<Record<string, Part>>

/** A problem as an example shows it. */
export interface ProblemExample {
  readonly type: string
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly requestId: string
}

/** A header, or where it is. */
export interface Header {
  readonly $ref?: string
  readonly required?: boolean
  readonly example?: unknown
  readonly examples?: Named<{ readonly value: unknown }>
}

/** A response, or where it is. */
export interface Response {
  readonly $ref?: string
  readonly headers?: Named<Header>
  readonly content?: Named<{ readonly examples?: Named<{ readonly value: ProblemExample }> }>
}

interface Parameter {
  readonly name: string
  readonly schema: { readonly enum?: readonly string[]; readonly examples?: readonly string[] }
}
interface Property {
  readonly type: string | readonly string[]
  readonly enum?: readonly string[]
}

/** The document. */
export interface Document {
  readonly openapi: string
  readonly paths: Named<{
    readonly get: { readonly parameters: readonly Parameter[]; readonly responses: Named<Response> }
  }>
  readonly components: {
    readonly responses: Named<Response>
    readonly headers: Named<Header>
    readonly schemas: Named<{ readonly properties: Named<Property> }>
  }
}

/** The response itself. */
export function resolveResponse({ components }: Document, response: Response): Response {
  const name = response.$ref?.replace('#/components/responses/', '')
  return name === undefined ? response : components.responses[name]!
}

/** The examples of the problems of a response, by their codes. */
export function readExamples(document: Document, response: Response): Named<ProblemExample> {
  const examples = resolveResponse(document, response).content?.['application/problem+json']?.examples
  return Object.fromEntries(Object.entries(examples ?? {}).map(([code, { value }]) => [code, value]))
}

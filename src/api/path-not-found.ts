import { findNearest } from '../client/nearest.js'
import { Problem } from '../errors.js'
import { basePath } from './paths.js'

/** Makes the problem of a path that no route has, and names the path that was probably meant. */
export type CreatePathNotFound = (path: string) => Problem

/** Of what can be mistyped in one path; the longest right one has five parts. */
const partsMax = 10

/**
 * @param collections the names of those that have routes.
 * @param publicUrl origin and path prefix, or empty if they are not known.
 */
export function createPathNotFound(collections: readonly string[], publicUrl: string): CreatePathNotFound {
  const api = `${publicUrl}${basePath}`
  const addresses = new Map([
    ...collections.map((name) => [name, `${api}/${name}`] as const),
    ['openapi', `${api}/openapi.json`],
    ['docs', `${publicUrl}/docs`],
  ])
  const names = [...addresses.keys()]
  return (path) => {
    const parts = path
      .split('/')
      .filter((part) => !basePath.split('/').includes(part.toLowerCase()))
      .slice(-partsMax)
    const found = parts.map((part) => (part.length > 64 ? undefined : findNearest(part, names)))
    const at = found.findLastIndex((name) => name !== undefined)
    return new Problem(
      'not_found',
      `There is nothing at this path. ${advise(path, found[at], parts.slice(at + 1))}`,
    )
  }

  function advise(path: string, name: string | undefined, rest: readonly string[]): string {
    const address = addresses.get(name ?? '')
    if (name === undefined || address === undefined)
      return `The API is at ${api}, with ${collections.join(' and ')}; its documentation is at ${publicUrl}/docs.`
    const isCollection = collections.includes(name)
    if (isCollection && rest.length > 1) return `A slash in an id is sent as %2F: ${address}/{id}.`
    const target = isCollection && rest.length === 1 ? `${address}/{id}` : address
    return `Did you mean ${target}${path.endsWith('/') ? adviseSlash(isCollection, rest) : '?'}`
  }

  function adviseSlash(isCollection: boolean, rest: readonly string[]): string {
    const empty = isCollection && rest.length === 0 ? ' If one record was meant, its id is empty.' : ''
    return `, without a slash at its end?${empty}`
  }
}

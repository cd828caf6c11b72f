import { basePath } from '../client/forms.js'

/** The route of the lists of a collection, and that of its single records. */
export function toPaths(collection: string): { readonly list: string; readonly item: string } {
  const list = `${basePath}/${collection}`
  return { list, item: `${list}/:id` }
}

/** One route for GET and HEAD: the HEAD routes of Fastify send the length of an answer before its compression. */
export const reading = { method: ['GET', 'HEAD'], exposeHeadRoute: false }

/** The file of the package for integrators. npm keeps the hash of what an address had, so each version has its own. */
export function toPackageFile(version: string): string {
  return `vitrine-client-${version}.tgz`
}

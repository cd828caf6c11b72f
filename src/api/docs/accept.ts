/**
 * Whether a caller prefers Markdown to HTML. Programs that read pages for a language model name `text/markdown`; browsers
 * do not, and a caller who accepts everything gets HTML.
 *
 * @param accept the header; RFC 9110, section 12.5.1.
 */
export function prefersMarkdown(accept = ''): boolean {
  const weights = new Map(accept.toLowerCase().split(',').map(readRange))
  const markdown = weights.get('text/markdown') ?? 0
  return markdown > 0 && markdown >= (weights.get('text/html') ?? 0)
}

/** A media range without its parameters, and its weight. */
function readRange(range: string): readonly [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
  const weight = parameters.find((one) => one.startsWith('q='))
  return [type, weight === undefined ? 1 : Number(weight.slice(2))]
}

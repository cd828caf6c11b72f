/** Markup that `html` made. */
export interface Html {
  readonly markup: string
}

type Part = string | number | Html | readonly Part[]

/**
 * Markup from a template. Values are escaped, because names from the database and the mapping can contain markup. Markup
 * that `html` made is kept, and the elements of an array are joined.
 */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: template.map((text, at) => text + toMarkup(parts[at] ?? '')).join('') }
}

function toMarkup(part: Part): string {
  if (typeof part === 'string')
    return part.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(toMarkup).join('')
}

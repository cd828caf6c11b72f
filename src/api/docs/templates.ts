import { readFileSync } from 'node:fs'
import { html } from '../../html.js'
import type { Html } from '../../html.js'

/** A file of the folder `templates`. */
export function readTemplate(name: string): string {
  return readFileSync(new URL(`./templates/${name}`, import.meta.url), 'utf8')
}

/** A template with a text in place of each `${name}`. */
export function fillText(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

/** A template of markup; texts are escaped. */
export function fillMarkup(
  name: string,
  values: Readonly<Record<string, string | Html | readonly Html[]>>,
): Html {
  const entries = Object.entries(values).map(([key, value]) => [key, html`${value}`.markup] as const)
  return { markup: fillText(readTemplate(name), Object.fromEntries(entries)) }
}

/** The file of the package for integrators. npm keeps the hash of what an address had, so each version has its own. */
export function toPackageFile(version: string): string {
  return `vitrine-client-${version}.tgz`
}

import { html } from '../../html.js'
import type { Html } from '../../html.js'

/** The links of a page. All are relative, because only the caller has the part of the URL before `/docs`. */
export interface Links {
  /** @param path the last part of the URL of a page; empty for the first page. */
  readonly page: (path: string) => string
  /** @param path an address below the URL of the service. */
  readonly service: (path: string) => string
}

/** Links from `/docs`, or from a page in the folder below it. */
export function createLinks(from: 'top' | 'folder'): Links {
  if (from === 'folder')
    return { page: (path) => (path === '' ? '../docs' : `./${path}`), service: (path) => `../${path}` }
  return { page: (path) => (path === '' ? './docs' : `./docs/${path}`), service: (path) => `./${path}` }
}

/** The file of the package for integrators. npm keeps the hash of what an address had, so each version has its own. */
export function toPackageFile(version: string): string {
  return `vitrine-client-${version}.tgz`
}

/** A group of the navigation. */
export interface NavigationGroup {
  readonly title: string
  readonly items: readonly NavigationItem[]
}

interface NavigationItem {
  readonly label: string
  /** The last part of the URL of the page; empty for the first page. */
  readonly path: string
  readonly anchor?: string
}

/** What all pages have in common. */
export interface Frame {
  readonly navigation: readonly NavigationGroup[]
  readonly version: string
  /** Of the files of the pages, for their URLs. */
  readonly fileVersions: { readonly style: string; readonly script: string }
}

/** One page. */
export interface Page {
  readonly path: string
  readonly title: string
  readonly content: Html
  /** The URL of the service in samples, which the script of the page replaces by that of the browser. */
  readonly assumed?: string
}

/** The markup of a page with the navigation. It has no style and no script of its own. */
export function renderPage({ path, title, content, assumed }: Page, frame: Frame, links: Links): string {
  const file = (name: string, version: string): string => `${links.page('assets')}/${name}?v=${version}`
  const { style, script } = frame.fileVersions
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="alternate" type="text/markdown" href="${links.page(path)}.md">
<link rel="icon" type="image/svg+xml" href="${links.page('assets/favicon.svg')}">
<link rel="stylesheet" href="${file('docs.css', style)}">
<script type="module" src="${file('docs.js', script)}"></script>
</head>
<body data-service="${links.service('')}"${assumed === undefined ? '' : html` data-assumed="${assumed}"`}>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="${links.page('')}">${logo(links)}Vitrine API</a>
<button type="button" class="menu" popovertarget="navigation">Menu</button>
</header>
<nav id="navigation" popover aria-label="Documentation">
<a class="brand" href="${links.page('')}">${logo(links)}Vitrine API<span class="version">${frame.version}</span></a>
<div class="search" role="search" hidden>
<input type="search" id="search" aria-label="Search" placeholder="Search" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd>
<div class="results" hidden><p role="status"></p><ul></ul></div>
</div>
${frame.navigation.map((group) => renderGroup(group, path, links))}
</nav>
<main id="content">
${content}
</main>
</body>
</html>
`
  return page.markup
}

function renderGroup({ title, items }: NavigationGroup, current: string, links: Links): Html {
  const rows = items.map(({ label, path, anchor }) => {
    const here = path === current
    const mark = here && anchor === undefined ? html` aria-current="page"` : ''
    const address = anchor === undefined ? links.page(path) : `${here ? '' : links.page(path)}#${anchor}`
    return html`<li><a href="${address}"${mark}>${label}</a></li>
`
  })
  return html`<p class="group">${title}</p>
<ul>
${rows}</ul>
`
}

function logo({ page }: Links): Html {
  return html`<img src="${page('assets/favicon.svg')}" alt="" width="24" height="24">`
}

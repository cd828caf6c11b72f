import { createHash } from 'node:crypto'
import { problems } from '../errors.js'
import type { ProblemCode } from '../errors.js'
import { html } from '../html.js'
import type { Html } from '../html.js'

/** The page of every problem type, from the table of codes; the anchor of an entry is its code. */
export function renderErrorPage(): string {
  const codes = Object.keys(problems) as ProblemCode[]
  // Relative links, because only the caller has the part of the URL before `/docs`.
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Problem types · Vitrine API</title>
<link rel="icon" type="image/svg+xml" href="./static/theme/favicon.svg">
<style>${style}</style>
</head>
<body>
<main>
<p class="back"><a href="../docs">API documentation</a></p>
<h1>Problem types</h1>
<p>Every error is <code>application/problem+json</code> (RFC 9457). Branch on <code>code</code>, which is never
renamed or reused; show <code>detail</code> to a developer; quote <code>requestId</code> when you ask about it.</p>
<nav aria-label="Problem types by status">
<dl>
${renderIndex(codes)}
</dl>
</nav>
${codes.map(renderEntry)}
</main>
</body>
</html>
`
  return page.markup
}

function renderIndex(codes: readonly ProblemCode[]): readonly Html[] {
  const statuses = [...new Set(codes.map((code) => problems[code].status))].sort((a, b) => a - b)
  return statuses.map((status) => {
    const links = codes
      .filter((code) => problems[code].status === status)
      .map((code) => html`<a href="#${code}">${code}</a> `)
    return html`<dt>${status}</dt><dd>${links}</dd>
`
  })
}

function renderEntry(code: ProblemCode): Html {
  const { status, title, meaning, remedy } = problems[code]
  return html`<section id="${code}" aria-labelledby="${code}-title">
<h2 id="${code}-title"><span class="status">${status}</span> ${title}</h2>
<p><a class="code" href="#${code}"><code>${code}</code></a></p>
<p>${renderText(meaning)}</p>
<p><strong>What to do:</strong> ${renderText(remedy)}</p>
</section>
`
}

/** A text in which backticks enclose code. */
function renderText(text: string): readonly (string | Html)[] {
  return text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))
}

const style = html`
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; --accent: light-dark(#0b6e6e, #5cc4c4); --line: color-mix(in srgb, CanvasText 16%, Canvas) }
body { margin: 0; background: Canvas; color: CanvasText }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1.25rem 60vh }
a { color: var(--accent) }
h1 { margin: .75rem 0; font-size: 1.9rem; line-height: 1.2 }
h2 { margin: .25rem 0; font-size: 1.15rem }
p { margin: .4rem 0 }
nav { margin: 1.5rem 0 2rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; font: .875rem/1.9 ui-monospace, monospace }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1.25rem; margin: 0 }
dt { color: color-mix(in srgb, CanvasText 62%, Canvas) }
dd { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0 }
section { border-top: 1px solid var(--line); padding: .9rem 1rem; scroll-margin-top: 1rem }
section:target { border-top-color: transparent; border-radius: .5rem; background: color-mix(in srgb, #f5b301 16%, Canvas); box-shadow: inset .25rem 0 #d99a00 }
.status { margin-right: .35rem; padding: .05rem .45rem; border-radius: .3rem; background: color-mix(in srgb, CanvasText 9%, Canvas); font-size: .95rem; font-variant-numeric: tabular-nums }
.code { text-decoration: none }
code { font-family: ui-monospace, monospace; font-size: .9em }
`

/** The page has one style and one image, and no script. */
export const errorPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style.markup).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

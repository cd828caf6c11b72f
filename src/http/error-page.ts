import { problems } from '../errors.js'
import type { ProblemCode } from '../errors.js'

/** The page of every problem type, from the table of codes; each entry's anchor is its code. */
export function renderErrorPage(publicUrl: string): string {
  const codes = Object.keys(problems) as ProblemCode[]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Problem types · Vitrine API</title>
<link rel="icon" href="${publicUrl}/docs/static/favicon-32x32.png">
<style>${style}</style>
</head>
<body>
<main>
<p><a href="${publicUrl}/docs">API documentation</a></p>
<h1>Problem types</h1>
<p>Every error is <code>application/problem+json</code> (RFC 9457). Branch on <code>code</code>, which is never
renamed or reused; show <code>detail</code> to a developer; quote <code>requestId</code> when you ask about it.</p>
<nav>${codes.map((code) => `<a href="#${code}">${code}</a>`).join(' ')}</nav>
${codes.map(renderEntry).join('\n')}
</main>
</body>
</html>
`
}

function renderEntry(code: ProblemCode): string {
  const { status, title, meaning, remedy } = problems[code]
  return `<section id="${code}">
<h2><span class="status">${status}</span> ${title}</h2>
<p><code>${code}</code></p>
<p>${toHtml(meaning)}</p>
<p><strong>What to do:</strong> ${toHtml(remedy)}</p>
</section>`
}

function toHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return escaped.replace(/`([^`]+)`/g, '<code>$1</code>')
}

const style = `
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif }
body { margin: 0; background: Canvas; color: CanvasText }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem 6rem }
nav { display: flex; flex-wrap: wrap; gap: .4rem .9rem; margin: 1.5rem 0 2rem; font-family: ui-monospace, monospace; font-size: .875rem }
section { border-top: 1px solid color-mix(in srgb, CanvasText 18%, Canvas); padding: .75rem 1rem; scroll-margin-top: 1rem }
section:target { background: color-mix(in srgb, #f5b301 18%, Canvas); border-radius: .4rem }
h2 { font-size: 1.15rem; margin: .4rem 0 }
.status { display: inline-block; min-width: 2.6rem; font-variant-numeric: tabular-nums; color: color-mix(in srgb, CanvasText 60%, Canvas) }
code { font-family: ui-monospace, monospace; font-size: .9em }
p { margin: .4rem 0 }
`

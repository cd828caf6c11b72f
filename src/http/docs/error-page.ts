import { problems } from '../../errors.js'
import type { ProblemCode } from '../../errors.js'
import { html } from '../../html.js'
import type { Html } from '../../html.js'
import { renderInline } from './markdown.js'
import { renderErrorExample } from './operation.js'
import type { ErrorExample, Reference } from './read-document.js'

/** Every problem type, from the table of codes, with an example of an operation; the anchor of an entry is its code. */
export function renderProblemTypes({ operations }: Reference): Html {
  const examples = operations.flatMap(({ errors }) => errors)
  const codes = Object.keys(problems) as ProblemCode[]
  return html`<h2 id="problem-types"><a class="anchor" href="#problem-types">Problem types</a></h2>
<nav class="index" aria-label="Problem types by status">
<dl>
${renderIndex(codes)}</dl>
</nav>
${codes.map((code) => renderEntry(code, examples))}`
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

function renderEntry(code: ProblemCode, examples: readonly ErrorExample[]): Html {
  const found = examples.find((one) => one.code === code)
  const { status, title, meaning, remedy } = problems[code]
  return html`<section class="problem" id="${code}" aria-labelledby="${code}-title">
<h3 id="${code}-title"><span class="status">${status}</span> ${title}</h3>
<p><a class="code" href="#${code}"><code>${code}</code></a></p>
<p>${renderInline(meaning)}</p>
<p><strong>What to do:</strong> ${renderInline(remedy)}</p>
${found === undefined ? '' : renderErrorExample(found.example)}
</section>
`
}

import { html } from '../../html.js'
import type { Html } from '../../html.js'
import { capitalize } from '../../values/printable.js'
import type { Guide } from './guides.js'
import { renderKeyField, renderOperation } from './operation.js'
import type { Place } from './operation.js'
import type { Reference } from './read-document.js'

/** The first page: what the API is, how to send a key, and every operation. */
export function renderOverview(reference: Reference, guides: readonly Guide[], place: Place): Html {
  const groups = listCollections(reference).map(
    (name) => html`<h2 class="collection" id="${name}">${capitalize(name)}</h2>
${reference.operations.filter(({ tag }) => tag === name).map((operation) => renderOperation(operation, place))}`,
  )
  return html`<div class="columns intro">
<div>
<h1>Vitrine API</h1>
<p class="lead">${reference.summary}</p>
${renderFacts(place)}
</div>
<div class="side">
${renderCards(guides, place)}
</div>
</div>
${renderAuthentication()}
${groups}`
}

/** The names of the collections, in the order of the document. */
export function listCollections({ operations }: Reference): readonly string[] {
  return [...new Set(operations.map(({ tag }) => tag))]
}

function renderFacts({ links, service, basePath, packageFile }: Place): Html {
  return html`<dl class="facts">
<div><dt>Base URL</dt><dd><code class="base">${service}${basePath}</code></dd></div>
<div><dt>Format</dt><dd>JSON, read-only: every operation is <code>GET</code></dd></div>
<div><dt>Document</dt><dd><a href="${links.service(`${basePath.slice(1)}/openapi.json`)}">OpenAPI 3.1</a> or <a href="${links.page('openapi-3.0.json')}">3.0</a>, for code generators</dd></div>
<div><dt>Package</dt><dd><a href="${links.page(packageFile)}">${packageFile}</a>, the <a href="${links.page('client')}">TypeScript client</a> and <a href="${links.page('vitrine-pull')}">a command that keeps a copy</a></dd></div>
<div><dt>Agents</dt><dd><a href="${links.service('llms.txt')}">llms.txt</a>, every page as Markdown (<a href="${links.page('')}.md">this one</a>), and <a href="${links.page('agents')}">tools by MCP</a></dd></div>
<div><dt>Contract</dt><dd><a href="${links.page('contract')}">Every field, parameter and guarantee</a></dd></div>
</dl>`
}

const cards: Readonly<Record<string, string>> = {
  sync: 'Keep a copy up to date without missing a change.',
  errors: 'Every error code, and what to do about it.',
  limits: 'Page sizes, requests per minute, and when to wait.',
}

function renderCards(guides: readonly Guide[], { links }: Place): Html {
  const shown = guides.filter(({ path }) => path in cards)
  return html`<ul class="cards">
${shown.map(
  ({
    path,
    title,
  }) => html`<li><a href="${links.page(path)}"><strong>${title}</strong> <span>${cards[path] ?? ''}</span></a></li>
`,
)}</ul>`
}

function renderAuthentication(): Html {
  return html`<section class="columns" id="authentication" aria-labelledby="authentication-title">
<div>
<h2 id="authentication-title">Authentication</h2>
<p>Send an API key with every request, in the header <code>Authorization: Bearer &lt;key&gt;</code>. The product team
gives you a key. It reads one workspace, and only the collections of its scopes.</p>
</div>
<div class="side">
<div class="panel your-key" hidden>
${renderKeyField('your')}
<p>To send requests from this page. The key stays in the memory of this page, and is gone when you close or reload it.</p>
<label for="variable">Environment variable of the key, in samples</label>
<input id="variable" type="text" value="VITRINE_KEY" autocomplete="off" spellcheck="false">
</div>
<noscript><p class="note">With JavaScript, requests can be sent from this page.</p></noscript>
</div>
</section>`
}

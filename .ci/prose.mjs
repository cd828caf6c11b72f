// Lints the prose of the project: words that the glossary replaces, in every source file, test and page (names in code
// included), and sentences of pages that are too long. Prints each place and ends with status 1 where there is one.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { marked } from 'marked'

const wordsMax = 35

const toRules = (rules) => rules.map(([words, instead]) => [new RegExp(`\\b(?:${words})\\b`, 'gi'), instead])

/** Words that are not used, and what to write. */
const glossary = toRules([
  ['waiting[- ]lines?|waiters?', 'queue, slots'],
  ['errands?|hurry|hurries', 'failover'],
  ['patience', 'timeout'],
  ['doubts?|doubted', 'health check, health state'],
  ['mend|mends|mended', 'fix, undo'],
  ['judge|judges|judged', 'validate, evaluate, compare'],
  ['told', 'what happens: is logged, is answered, gets'],
  ['nobody|whoever', 'what does not happen, who it is'],
  ['walls?', 'safeguards'],
  ['share[- ]waiting', 'coalescing'],
  ['visit[- ]hosts', 'for each host'],
  ['what leaves', 'removed, hidden'],
  ['own freshness', 'how fresh it is, from the same snapshot as its rows'],
  ['from the others', 'denies service to others'],
  ['(?:re)?play(?:s|ed|ing)?', 'tested, runs'],
  ['no text', 'empty, not a string'],
  ['(?<!there )(?:is|are) no(?! longer)', 'is not a, are not, does not exist'],
  ['colours?|coloured|behaviours?|honours?|neighbours?|catalogues?|analyse[sd]?', 'American spelling'],
])

/** Words that pages do not use. */
const pageGlossary = toRules([
  ['by far', 'clearly the best match'],
  ['table of keys', 'key table, key-value table'],
  ['bring|brings|bringing', 'provides, returns, restores, ends'],
  ['is none', 'does not exist'],
  ['places?(?! of)', 'field, setting, table'],
  ['same seconds', 'at the same time'],
  ['nor (?:does|do|is|are)', 'subject first'],
])

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const words = new Intl.Segmenter('en', { granularity: 'word' })

/** The words of the glossary in a text, those inside a name such as `isTold` included. */
function findWords(text, rules = glossary) {
  return text.split('\n').flatMap((line, at) => {
    const separated = line.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
    return rules.flatMap(([pattern, instead]) =>
      [...separated.matchAll(pattern)].map(([word]) => `${at + 1}: "${word}": ${instead}`),
    )
  })
}

/** The texts of paragraphs, list items, headings and table cells. Code in a sentence counts as one word. */
function* listTexts(tokens) {
  for (const token of tokens) {
    if (token.type === 'table') for (const row of token.rows) yield* row.map(({ tokens }) => toText(tokens))
    else if (['paragraph', 'text', 'heading'].includes(token.type)) yield toText(token.tokens ?? [])
    else yield* listTexts(token.items ?? token.tokens ?? [])
  }
}

const toText = (tokens) =>
  tokens
    .map(({ type, raw, tokens: parts }) => (type === 'codespan' ? 'Code' : parts ? toText(parts) : raw))
    .join('')

function findLongSentences(page) {
  const texts = [...listTexts(marked.lexer(page))].map((text) => text.replaceAll('\n', ' '))
  return texts
    .flatMap((text) => [...sentences.segment(text)].map(({ segment }) => segment.trim()))
    .map((sentence) => [countWords(sentence), sentence])
    .filter(([count]) => count > wordsMax)
    .map(([count, sentence]) => ` ${count} words, ${wordsMax} at most: ${sentence}`)
}

const countWords = (sentence) => [...words.segment(sentence)].filter(({ isWordLike }) => isWordLike).length

const withoutCode = (page) =>
  page.replace(/^ *```[^]*?^ *```$/gm, (block) => block.replace(/./g, '')).replace(/`[^`\n]*`/g, '')

const listed = execFileSync('git', ['ls-files', '*.md', 'src', 'test', 'docker', 'config', '.ci'])
const files = listed
  .toString()
  .split('\n')
  .filter((file) => /\.(?:md|ts|mjs|js|sh|ya?ml|json|sql|css|service|cfg)$/.test(file))
  .filter((file) => !file.endsWith('package-lock.json') && file !== '.ci/prose.mjs')

const found = files.flatMap((file) => {
  const text = readFileSync(file, 'utf8')
  const isPage = file.endsWith('.md')
  const issues = isPage
    ? [...findWords(withoutCode(text), [...glossary, ...pageGlossary]), ...findLongSentences(text)]
    : findWords(text)
  return issues.map((issue) => `${file}:${issue}`)
})
for (const line of found) console.error(line)
if (found.length > 0) process.exit(1)

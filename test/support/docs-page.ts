import axe from 'axe-core'
import type { AxeResults } from 'axe-core'
import type { Locator, Page } from 'playwright-core'

/** Every page of the documentation beside the first one. */
export const guidePaths = ['sync', 'errors', 'limits', 'money', 'times', 'contract'] as const

/** An operation of the first page, its form open. */
export async function openForm(page: Page, operationId: string): Promise<Locator> {
  const operation = page.locator(`#${operationId}`)
  await operation.getByText('Send this request').click()
  return operation
}

/** Sends the form of an operation, and waits for its answer. */
export async function sendForm(operation: Locator): Promise<void> {
  await operation.getByRole('button', { name: 'Send', exact: true }).click()
  await operation.locator('.result .status').waitFor()
}

/** The body that the page shows. */
export async function readResult(operation: Locator): Promise<Readonly<Record<string, unknown>>> {
  const text = await operation.locator('.result > pre').textContent()
  return JSON.parse(text ?? '') as Readonly<Record<string, unknown>>
}

/**
 * What axe finds on a page as it is shown now: weight, rule and the first place of each.
 *
 * @param rules those to apply; none for all.
 */
export async function listBarriers(page: Page, rules: readonly string[] = []): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const options = rules.length === 0 ? {} : { runOnly: rules }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.map(({ id, impact, nodes }) => `${String(impact)} ${id}: ${nodes[0]?.html ?? ''}`)
}

/** An expression: the texts of a page that a button to copy covers. */
export const listCovered = `[...document.querySelectorAll('.copy')].flatMap((button) => {
  const [box, range, covered] = [button.getBoundingClientRect(), new Range(), []]
  const isBelow = (one) =>
    one.left < box.right && one.right > box.left && one.top < box.bottom && one.bottom > box.top
  const texts = document.createTreeWalker(button.closest('figure') ?? button.parentElement, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode)
    const isCovered = [...range.getClientRects()].some(isBelow)
    if (isCovered && !button.contains(texts.currentNode)) covered.push(texts.currentNode.data)
  }
  return covered
})`

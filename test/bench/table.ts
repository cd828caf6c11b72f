/** A table of Markdown; numbers stand at the right. */
export function renderTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, at) => Math.max(3, head.length, ...rows.map((row) => row[at]!.length)))
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(' | ')} |\n`
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return line(heads) + line(rule) + rows.map(line).join('')
}

/** A number with as many digits as are worth reading; `–` for none. */
export function toText(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–'
  if (value >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(value >= 10 ? 1 : 2)
}

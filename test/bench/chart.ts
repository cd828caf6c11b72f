/** Bars of a group, drawn beneath each other. */
export interface Bar {
  /** Which of the series it belongs to. */
  readonly series: number
  readonly value: number
  /** What stands at its end. */
  readonly text: string
}

/** A chart of lying bars. */
export interface BarChart {
  readonly title: string
  readonly subtitle: string
  readonly series: readonly string[]
  readonly groups: readonly { readonly name: string; readonly bars: readonly Bar[] }[]
}

const width = 860
const labelWidth = 230
const textWidth = 160
const barHeight = 13
const groupGap = 12
const top = 84

const style = `<style>
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 }
.quiet { fill: #59636e }
.s0 { fill: #8c959f } .s1 { fill: #bf8700 } .s2 { fill: #0969da }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .quiet { fill: #9198a1 } .s1 { fill: #d29922 } .s2 { fill: #4493f8 }
}
</style>`

/** The chart as SVG that can be read on light and on dark ground, without script or font of its own. */
export function renderBars({ title, subtitle, series, groups }: BarChart): string {
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map((bar) => bar.value)))
  const scale = (width - labelWidth - textWidth) / most
  let y = top
  const drawn = groups.map(({ name, bars }) => {
    const middle = y + (bars.length * barHeight) / 2 + 4
    const label = `<text x="${labelWidth - 10}" y="${middle}" text-anchor="end">${escapeXml(name)}</text>`
    const lines = bars.map((bar) => {
      const length = (bar.value * scale).toFixed(1)
      const end = (labelWidth + bar.value * scale + 6).toFixed(1)
      const line =
        `<rect class="s${bar.series}" x="${labelWidth}" y="${y}" width="${length}" height="${barHeight - 2}" rx="2"/>` +
        `<text class="quiet" x="${end}" y="${y + barHeight - 3}">${escapeXml(bar.text)}</text>`
      y += barHeight
      return line
    })
    y += groupGap
    return [label, ...lines].join('\n')
  })
  const legend = series.map(
    (name, at) =>
      `<rect class="s${at}" x="${labelWidth + at * 170}" y="56" width="11" height="11" rx="2"/>` +
      `<text x="${labelWidth + at * 170 + 17}" y="66">${escapeXml(name)}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" aria-label="${escapeXml(`${title}. ${subtitle}`)}">
${style}
<text class="title" x="16" y="26">${escapeXml(title)}</text>
<text class="quiet" x="16" y="44">${escapeXml(subtitle)}</text>
${[...legend, ...drawn].join('\n')}
</svg>
`
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

const charsMax = 1000

/** Controls, which a terminal may obey; format characters, which reorder or hide text; line separators; half pairs. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** A text of the server in a form that is safe to print: on one line, bounded, every unprintable character as U+FFFD. */
export function toPrintable(text: string): string {
  const start = text.length > charsMax ? `${text.slice(0, charsMax)}…` : text
  return start.replace(unprintable, '\uFFFD')
}

/** The SQL that compares a quoted column with one bound value, byte for byte; its value is bound twice. */
export function exactly(column: string, kind: 'text' | 'bytes' = 'text'): string {
  const bytes = kind === 'bytes' ? column : `convert(${column} using utf8mb4)`
  return `${column} = ? and cast(${bytes} as binary) = cast(? as binary)`
}

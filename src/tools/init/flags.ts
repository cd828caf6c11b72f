import type { DescribedColumn } from '../../database/description.js'

/** Whether a column holds a yes or no. */
export function isFlag({ kind, type }: DescribedColumn): boolean {
  return kind === 'bit' || (kind === 'integer' && /^(?:tiny|small)int/i.test(type))
}

import { setImmediate } from 'node:timers/promises'

/** Characters of JSON that are made before other requests have a turn. */
const sliceLength = 262_144

/** The JSON of the records of a page, with commas between. A large one, made at once, would delay every other request. */
export async function joinRecords(
  records: readonly object[],
  toJson: (record: object) => string,
): Promise<string> {
  let text = ''
  let sliceStart = 0
  for (const record of records) {
    text += text === '' ? toJson(record) : `,${toJson(record)}`
    if (text.length - sliceStart < sliceLength) continue
    await setImmediate()
    sliceStart = text.length
  }
  return text
}

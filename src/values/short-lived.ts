/*
 * Collections of what lives as long as a request. When V8 rebuilds the table of a Map or Set, it leaves the old one, with its
 * entries and a reference to the new one, to the next full collection. What such a chain of tables holds survives every
 * scavenge, and with it all objects of its request.
 */

/** Takes one out of a list. @returns whether it was there. */
export function takeOut<Item>(items: Item[], item: Item): boolean {
  const at = items.indexOf(item)
  if (at !== -1) items.splice(at, 1)
  return at !== -1
}

/** A map whose old tables do not keep the values that were deleted: they hold a box, which is emptied. */
export class ShortLivedMap<Key, Value> {
  readonly #boxes = new Map<Key, { value: Value | undefined }>()

  get size(): number {
    return this.#boxes.size
  }

  get(key: Key): Value | undefined {
    return this.#boxes.get(key)?.value
  }

  set(key: Key, value: Value): void {
    const box = this.#boxes.get(key)
    if (box === undefined) this.#boxes.set(key, { value })
    else box.value = value
  }

  delete(key: Key): void {
    const box = this.#boxes.get(key)
    if (box !== undefined) box.value = undefined
    this.#boxes.delete(key)
  }
}

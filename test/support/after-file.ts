const pending: (() => unknown)[] = []

/** Closes something when the test file is done, the last first; may be called in a test, in a hook or outside both. */
export function afterFile(close: () => unknown): void {
  pending.push(close)
}

/** Closes everything that the test file left open. */
export async function closeAll(): Promise<void> {
  for (const close of pending.splice(0).reverse()) await close()
}

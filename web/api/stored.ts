import { storageKey } from './address.ts'

/** A text that the browser stores. Where it may store nothing, or no more, the page does without. */
interface StorageItem {
  read(): string | null
  /** The value of a text in JSON; null when it is none. */
  readJson(): unknown
  /** Null removes it. */
  save(text: string | null): void
}

/** Stored in this browser, or in this tab alone. */
export function stored(name: string, where: 'browser' | 'tab' = 'browser'): StorageItem {
  const key = storageKey(name)
  function attempt<Value>(use: (storage: Storage) => Value): Value | null {
    try {
      return use(where === 'tab' ? sessionStorage : localStorage)
    } catch {
      return null
    }
  }
  return {
    read: () => attempt((storage) => storage.getItem(key)),
    readJson: () => attempt((storage): unknown => JSON.parse(storage.getItem(key) ?? 'null')),
    save: (text) =>
      void attempt((storage) => (text === null ? storage.removeItem(key) : storage.setItem(key, text))),
  }
}

import { storageKey } from './paths.ts'

/** A text in the browser's storage. If the storage is blocked or full, reads give null and writes do nothing. */
interface StorageItem {
  read(): string | null
  /** The value of a text in JSON; null when it is none. */
  readJson(): unknown
  /** Null removes it. */
  save(text: string | null): void
}

/** Stored in this browser, or in this tab alone. */
export function storageItem(name: string, scope: 'browser' | 'tab' = 'browser'): StorageItem {
  const key = storageKey(name)
  function tryStorage<Value>(use: (storage: Storage) => Value): Value | null {
    try {
      return use(scope === 'tab' ? sessionStorage : localStorage)
    } catch {
      return null
    }
  }
  return {
    read: () => tryStorage((storage) => storage.getItem(key)),
    readJson: () => tryStorage((storage): unknown => JSON.parse(storage.getItem(key) ?? 'null')),
    save: (text) =>
      void tryStorage((storage) => (text === null ? storage.removeItem(key) : storage.setItem(key, text))),
  }
}

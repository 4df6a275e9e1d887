import { storageKey } from '../api/paths.ts'

/* What the browser keeps of an unfinished upload, so that it goes on after a reload: files in IndexedDB, their names in localStorage. */

/** The name of an uploader in the browser's storage. */
export const uploadsName = (uploader: string): string => storageKey(`uploads-${uploader}`)

/** Uppy's own name of the database of the files: it deletes old ones only there. */
const UPLOADS_DB = 'uppy-blobs'

/** Removes everything that uploads have stored in this browser (uploads-7). */
export function clearStoredUploads(): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(`uppyState:${uploadsName('')}`)) localStorage.removeItem(key)
    // Not deleteDatabase, which waits for every page that uses it.
    const opening = indexedDB.open(UPLOADS_DB)
    opening.onupgradeneeded = () => opening.transaction?.abort()
    opening.onsuccess = () => {
      opening.result.transaction('files', 'readwrite').objectStore('files').clear()
      opening.result.close()
    }
    opening.onerror = (event) => event.preventDefault()
  } catch {
    // The browser stores nothing.
  }
}

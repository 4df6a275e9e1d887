import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ownFiles } from '../../../web/uploads/companionStorage.ts'
import { FileDialog } from '../../../web/uploads/FileDialog.tsx'
import type { UploadFile, UploadRules } from '../../../web/uploads/uploadRules.ts'

/* The upload dialog with other rules than a photo's, from the address: ?rules={…}&id=… */

const search = new URLSearchParams(location.search)
const rules = JSON.parse(search.get('rules') ?? '{}') as UploadRules

function UploadPage() {
  const [open, setOpen] = useState(true)
  const [arrived, setArrived] = useState<UploadFile[]>([])
  return (
    <main>
      <h1>Files</h1>
      <button type="button" onClick={() => setOpen(true)}>
        Upload
      </button>
      <ul>
        {arrived.map(({ id, meta, uploadURL }) => (
          <li key={id}>
            <a href={uploadURL} download>
              {meta.name}
            </a>
          </li>
        ))}
      </ul>
      <FileDialog
        open={open}
        onOpenChange={setOpen}
        title="Upload files"
        id={search.get('id') ?? 'files'}
        rules={rules}
        target={ownFiles}
        onComplete={({ successful }) => setArrived(successful)}
      />
    </main>
  )
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<UploadPage />)

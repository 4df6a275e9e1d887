import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { Link, useLocation, useRoute } from 'wouter'
import { createImport, type Import, listImports, MAX_IMPORT_BYTES } from '../../contract/imports.ts'
import { getUploadParameters } from '../../contract/uploads.ts'
import { call } from '../api/call.ts'
import { LogoutLink } from '../auth/LogoutLink.tsx'
import { Button } from '../ui/controls/Button.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { PageHeading } from '../ui/page/Page.tsx'
import { PageBesideVideo } from '../ui/page/PageBesideVideo.tsx'
import { useDialog } from '../ui/screenParams.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { FileDialog } from '../uploads/FileDialog.tsx'
import type { UploadFile, UploadTarget } from '../uploads/uploadRules.ts'
import { importsQuery, useFollowImports } from './followImport.ts'
import { ImportView } from './ImportView.tsx'
import { formatStatus, services } from './importTexts.ts'
import '../profiles/profile.css'

/** Where a listener brings loves and plays from elsewhere, or one import (imports-30). */
export function ImportsPage() {
  usePageTitle('Bring your loves')
  const [, params] = useRoute('/imports/:id')
  return (
    // Each is a page, which takes the focus.
    <PageBesideVideo key={params?.id} id="imports" header={<LogoutLink />}>
      {params ? <ImportView id={params.id} /> : <BringLoves />}
    </PageBesideVideo>
  )
}

function BringLoves() {
  return (
    <div className="grid max-w-[65ch] grid-cols-[minmax(0,1fr)] gap-10">
      <div className="order-1">
        <PageHeading
          title="Bring your loves"
          note="Songs that you liked elsewhere become bangers here, and what you played shows your taste. You see everything before it counts, and can take it all back."
        />
        <ChooseFiles />
      </div>
      <section aria-labelledby="services" className="order-3 grid gap-3">
        <h2 id="services">Where to get the files</h2>
        <dl className="grid border-t border-line">
          {services.map(({ name, text }) => (
            <div key={name} className="border-b border-line py-3">
              <dt className="font-semibold">{name}</dt>
              <dd className="text-ink-2">{text}</dd>
            </div>
          ))}
        </dl>
        <p className="text-ink-2">
          A zip file can stay as it is. Of any other table you choose the columns. Only songs, likes and
          counts of plays are stored: the file is deleted once it is read.
        </p>
      </section>
      <section aria-labelledby="imports-list" className="order-4 grid gap-3 has-[li]:order-2">
        <h2 id="imports-list">Your imports</h2>
        <ImportList />
      </section>
    </div>
  )
}

/** The file dialog. A single file leads to its import, several to their list. */
function ChooseFiles() {
  const [, navigate] = useLocation()
  const queryClient = useQueryClient()
  const created = useRef<Import[]>([])
  const dialog = useDialog('bring')
  const target: UploadTarget = {
    purpose: 'import',
    // The content shows what a file is: people rename them.
    rules: { maxFileSize: MAX_IMPORT_BYTES, minFileSize: 1, maxNumberOfFiles: 20 },
    note: 'Up to 500 MB each, zipped or not',
    async sign({ meta, type, size }) {
      const { url, headers } = await call(getUploadParameters, {
        query: { filename: meta.name ?? '', type, size: `${size}`, purpose: 'import' },
      })
      return { url, method: 'PUT', headers }
    },
    async finish({ uploadURL = '' }) {
      const [key = ''] = /uploads\/\d+\/[\w-]+$/.exec(new URL(uploadURL).pathname) ?? []
      created.current.push(await call(createImport, { body: { key } }))
    },
    finishingText: 'Beginning to read...',
  }
  function showImports(failed: UploadFile[]) {
    void queryClient.invalidateQueries({ queryKey: [listImports.path] })
    if (failed.length > 0) return
    const [first, ...others] = created.current.splice(0)
    // In place of the dialog's entry in the history.
    navigate(first && others.length === 0 ? `/imports/${first.id}` : '/imports', { replace: true })
  }
  return (
    <>
      <Button variant="main" size="big" onClick={() => dialog.onOpenChange(true)}>
        Choose files
      </Button>
      <FileDialog {...dialog} title="Bring your loves" target={target} onComplete={showImports} />
    </>
  )
}

/** Former imports, newest first, each with its state. */
function ImportList() {
  const { data, isError, refetch } = useQuery(importsQuery)
  useFollowImports(data ?? [])
  if (!data)
    return isError ? (
      <LoadFailure onRetry={refetch}>Your imports did not load.</LoadFailure>
    ) : (
      <Loading className="">Loading your imports...</Loading>
    )
  if (data.length === 0) return <p className="text-ink-2">No imports yet.</p>
  return (
    <ul aria-label="Your imports" className="grid grid-cols-[minmax(0,1fr)] border-t border-line">
      {data.map((imported) => (
        <li key={imported.id} className="border-b border-line">
          <Link
            href={`/imports/${imported.id}`}
            className="grid min-h-(--size-touch) content-center rounded-control py-2 hover:bg-raised"
          >
            <b dir="auto" className="line-clamp-2 text-left font-semibold wrap-anywhere">
              {imported.fileName ?? 'A file'}
            </b>
            <span className="text-xs text-ink-2">
              {formatStatus(imported)} · {formatDate(imported.createdAt)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

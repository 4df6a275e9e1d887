import { useQuery } from '@tanstack/react-query'
import {
  countExport,
  EXPORT_FORMS,
  type ExportCounts,
  ExportForm,
  exportBangers,
  type LibrarySort,
} from '../../contract/exports.ts'
import { formatCount } from '../../contract/formatCount.ts'
import { formatQuery, withBasePath } from '../api/paths.ts'
import { query } from '../api/query.ts'
import { SendPlaylist } from '../listenbrainz/SendPlaylist.tsx'
import { buttonClasses } from '../ui/controls/Button.tsx'
import { Dialog, type OpenState } from '../ui/dialogs/Dialog.tsx'
import { Download } from '../ui/laterIcons.ts'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'

interface SaveAsDialogProps extends OpenState {
  filter?: { microgenre?: string; search?: string }
  sort?: LibrarySort
}

/** The bangers, or those that the library shows, as files that other services accept (library-32). */
export function SaveAsDialog({ open, onOpenChange, filter = {}, sort }: SaveAsDialogProps) {
  const { data, isError, refetch } = useQuery({
    ...query(countExport, { query: filter }),
    // A rating may have changed them since.
    staleTime: 0,
    enabled: open,
  })
  const songs =
    filter.microgenre || filter.search ? 'The bangers that your library shows' : 'All your bangers'
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Save as…"
      description={`${songs}, as a file for other services.`}
    >
      {data ? (
        <>
          <ul className="grid gap-3">
            {ExportForm.options.map((form) => {
              const { name, needs, takenBy } = EXPORT_FORMS[form]
              const address = withBasePath(exportBangers.path + formatQuery({ form, ...filter, sort }))
              return (
                <li key={form} className="flex items-center gap-4">
                  <a
                    // biome-ignore lint/a11y/noRedundantRoles: without an address it has no other
                    role="link"
                    href={data[needs] > 0 ? address : undefined}
                    aria-disabled={data[needs] === 0}
                    download
                    className={buttonClasses({ size: 'tight', className: 'w-28 flex-none' })}
                  >
                    <Download />
                    {name}
                  </a>
                  <p className="min-w-0">
                    {formatSongs(data, form)}
                    <span className="block text-ink-2">{takenBy}</span>
                  </p>
                </li>
              )
            })}
          </ul>
          <SendPlaylist filter={filter} sort={sort} songs={data.recordingMbid} />
        </>
      ) : isError ? (
        <LoadFailure onRetry={refetch}>Your songs could not be counted.</LoadFailure>
      ) : (
        <Loading>Counting your songs...</Loading>
      )}
    </Dialog>
  )
}

/** '3 songs', '2 of 3 songs: those with a video'. */
function formatSongs(counts: ExportCounts, form: ExportForm): string {
  const { needs } = EXPORT_FORMS[form]
  const number = (field: keyof ExportCounts) => counts[field].toLocaleString('en')
  const songs = formatCount(counts.songs, 'song')
  if (form === 'csv') return `${songs}: ${number('isrc')} with ISRC, ${number('recordingMbid')} with MBID`
  return counts[needs] === counts.songs ? songs : `${number(needs)} of ${songs}: those with ${NEEDS[needs]}`
}

const NEEDS: Record<keyof ExportCounts, string> = {
  songs: '',
  isrc: 'an ISRC',
  recordingMbid: 'an MBID',
  address: 'an address',
  video: 'a video',
}

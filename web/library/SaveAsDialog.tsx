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
import { Button, buttonClasses } from '../ui/controls/Button.tsx'
import { Dialog, type OpenState } from '../ui/dialogs/Dialog.tsx'
import { Download } from '../ui/laterIcons.ts'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'

interface Filter {
  microgenre?: string
  search?: string
}

interface SaveAsDialogProps extends OpenState {
  filter?: Filter
  sort?: LibrarySort
}

/** The bangers, or those that the library shows, as files that other services accept (library-32). */
export function SaveAsDialog({ open, onOpenChange, filter = {}, sort }: SaveAsDialogProps) {
  const isFiltered = filter.microgenre || filter.search
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Save as…"
      description={
        isFiltered
          ? 'The bangers that your library shows, as a file for other services.'
          : 'All your bangers, as a file for other services.'
      }
    >
      <ExportForms filter={filter} sort={sort} />
    </Dialog>
  )
}

function ExportForms({ filter, sort }: { filter: Filter; sort: LibrarySort | undefined }) {
  const {
    data: counts,
    isError,
    refetch,
    // A rating may have changed them since.
  } = useQuery({ ...query(countExport, { query: filter }), staleTime: 0 })
  if (!counts) {
    return isError ? (
      <LoadFailure onRetry={refetch}>Your songs could not be counted.</LoadFailure>
    ) : (
      <Loading>Counting your songs...</Loading>
    )
  }
  return (
    <>
      <ul className="grid gap-3">
        {ExportForm.options.map((form) => {
          const { name, needs, takenBy } = EXPORT_FORMS[form]
          const content = (
            <>
              <Download />
              {name}
            </>
          )
          return (
            <li key={form} className="flex items-center gap-4">
              {counts[needs] > 0 ? (
                <a
                  href={withBasePath(exportBangers.path + formatQuery({ form, ...filter, sort }))}
                  download
                  className={buttonClasses({ size: 'tight', className: fileButtonClasses })}
                >
                  {content}
                </a>
              ) : (
                <Button disabled size="tight" className={fileButtonClasses}>
                  {content}
                </Button>
              )}
              <p className="min-w-0">
                {formatSongs(counts, form)}
                <span className="block text-ink-2">{takenBy}</span>
              </p>
            </li>
          )
        })}
      </ul>
      <SendPlaylist filter={filter} sort={sort} songs={counts.recordingMbid} />
    </>
  )
}

const fileButtonClasses = 'w-28 flex-none'

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

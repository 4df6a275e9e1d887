import { Suspense } from 'react'
import { elsewhereLinks } from '../../contract/elsewhereLinks.ts'
import { config } from '../api/config.ts'
import { buttonClasses } from '../ui/controls/Button.tsx'
import { Dialog, type OpenState } from '../ui/dialogs/Dialog.tsx'
import { ExternalLink } from '../ui/icons.tsx'
import { Search } from '../ui/laterIcons.ts'
import { lazyComponent } from '../ui/page/lazyComponent.tsx'
import { getDialogSong } from '../ui/screenParams.ts'
import { canHearElsewhere, REPORT_LABEL } from './ElsewhereButton.tsx'
import { usePlayback } from './PlaybackProvider.tsx'

const ReportSong = lazyComponent(async () => (await import('../reports/ReportSong.tsx')).ReportSong)

/** The links to a song at other services (playback-60), and the reports about it (desk-22). */
export function ElsewhereDialog({ open, onOpenChange }: OpenState) {
  const { pause } = usePlayback()
  const song = open ? getDialogSong() : null
  return (
    <Dialog
      open={song !== null}
      onOpenChange={onOpenChange}
      title={canHearElsewhere ? 'Hear it elsewhere' : REPORT_LABEL}
      width="28rem"
      description={
        <>
          <bdi className="font-semibold text-ink wrap-anywhere">{song?.title}</bdi> by{' '}
          <bdi className="wrap-anywhere">{song?.artist}</bdi>
        </>
      }
    >
      {canHearElsewhere && (
        <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,10rem),1fr))] gap-2">
          {song &&
            elsewhereLinks(song, config.hearElsewhere).map(({ service, label, href, isExact }) => (
              <li key={service} className="grid">
                <a
                  href={href}
                  target="_blank"
                  rel="noopener noreferrer"
                  onClick={pause}
                  className={buttonClasses({ size: 'tight', className: 'justify-between!' })}
                >
                  {label}
                  <span className="sr-only">
                    {isExact ? '(opens in a new tab)' : '(a search, in a new tab)'}
                  </span>
                  {isExact ? (
                    <ExternalLink className="size-5 text-ink-2" />
                  ) : (
                    <Search className="size-5 text-ink-2" />
                  )}
                </a>
              </li>
            ))}
        </ul>
      )}
      {song && (
        <section
          aria-label={REPORT_LABEL}
          className={`grid gap-3 ${canHearElsewhere ? 'border-t border-line pt-4' : ''}`}
        >
          {canHearElsewhere && <h3>{REPORT_LABEL}</h3>}
          <Suspense>
            <ReportSong songId={song.id} onSent={() => onOpenChange(false)} />
          </Suspense>
        </section>
      )}
    </Dialog>
  )
}

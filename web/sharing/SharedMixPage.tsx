import type { ReactNode } from 'react'
import { elsewhereLinks } from '../../contract/elsewhereLinks.ts'
import { EXPORT_FORMS, ExportForm } from '../../contract/exports.ts'
import { songName } from '../../contract/isolateName.ts'
import { mixPage } from '../../contract/sharedPage.ts'
import { exportSharedMix, getSharedMix, type SharedMix } from '../../contract/sharing.ts'
import { microgenrePath } from '../../contract/visitors.ts'
import { config } from '../api/config.ts'
import { fillPath, formatQuery, withBasePath } from '../api/paths.ts'
import { query } from '../api/query.ts'
import { AlbumArt } from '../ui/art/AlbumArt.tsx'
import { PlayButton } from '../visitors/PlayButton.tsx'
import { SharedFrame } from './SharedPages.tsx'

/** A shared mix; public (sharing-25). */
export function SharedMixPage({ shareToken = '' }: { shareToken: string | undefined }) {
  return (
    <SharedFrame
      kind="mix"
      shareToken={shareToken}
      query={query(getSharedMix, { params: { shareToken } })}
      toPage={mixPage}
      renderSongs={({ name, songs }) => (
        <>
          {config.visitors && songs.length > 0 && (
            <div className="pb-6">
              <PlayButton name={name} songs={songs} big />
            </div>
          )}
          <ol aria-label="Songs" className="max-w-3xl border-b border-line">
            {songs.map((song, at) => (
              <MixSong key={song.id} {...song}>
                {config.visitors && <PlayButton name={songName(song)} songs={songs} at={at} />}
              </MixSong>
            ))}
          </ol>
          <p className="flex flex-wrap items-center gap-x-4 py-4 text-ink-2">
            Take it along:
            {ExportForm.options.map((form) => (
              <a
                key={form}
                href={withBasePath(fillPath(exportSharedMix, { shareToken }) + formatQuery({ form }))}
                download
                className={linkClasses}
              >
                {EXPORT_FORMS[form].name}
              </a>
            ))}
          </p>
        </>
      )}
    />
  )
}

function MixSong({ children, ...song }: SharedMix['songs'][number] & { children: ReactNode }) {
  const { title, artist, albumArt, microgenre } = song
  return (
    <li
      data-genre=""
      style={{ '--genre': microgenre.color }}
      className="flex items-start gap-3 border-t border-line py-2"
    >
      <span className="block size-14 flex-none">
        <AlbumArt title={title} art={albumArt} color={microgenre.color} />
      </span>
      <div className="grid min-w-0 flex-1">
        <h2 dir="auto" className="text-left text-base font-semibold wrap-anywhere">
          {title}
        </h2>
        <p className="text-ink-2 wrap-anywhere">
          <bdi>{artist}</bdi> ·{' '}
          {config.visitors ? (
            <a href={withBasePath(microgenrePath(microgenre.key))} className="text-accent underline">
              <bdi>{microgenre.name}</bdi>
            </a>
          ) : (
            <bdi>{microgenre.name}</bdi>
          )}
        </p>
        {config.hearElsewhere.length > 0 && (
          <details className="-mb-2 text-xs text-ink-2">
            <summary className="cursor-pointer py-3.5">Hear it elsewhere</summary>
            <span className="flex flex-wrap gap-x-4">
              {elsewhereLinks(song, config.hearElsewhere).map(({ service, label, href }) => (
                <a
                  key={service}
                  href={href}
                  target="_blank"
                  rel="noopener noreferrer"
                  className={linkClasses}
                >
                  {label}
                  <span className="sr-only">(opens in a new tab)</span>
                </a>
              ))}
            </span>
          </details>
        )}
      </div>
      {children}
    </li>
  )
}

const linkClasses = 'inline-flex min-h-(--size-touch) items-center underline hover:text-ink'

import { ExternalLink } from 'lucide-react'
import { type SpotifyTrack, searchSpotify } from '../../contract/diagnostics.ts'
import { call } from '../api/call.ts'
import { AlbumArt } from '../ui/AlbumArt.tsx'
import { buttonLook } from '../ui/Button.tsx'
import { Fact, Facts } from './Facts.tsx'
import { MatchBadge } from './MatchBadge.tsx'
import type { Wanted } from './SongForm.tsx'
import { type Search, SongSearch } from './SongSearch.tsx'
import { Tag } from './Tag.tsx'

/** A song's track at Spotify (diagnostics-18). */
export function SpotifySearch(search: Search) {
  return (
    <SongSearch
      {...search}
      action="Search Spotify"
      ask={askForTrack}
      missing="No Spotify Track Found"
      failure={{ title: 'Spotify Search Failed', what: 'Spotify search failed' }}
    >
      {(track) => <Found track={track} />}
    </SongSearch>
  )
}

async function askForTrack(query: Wanted) {
  const { success, result, message } = await call(searchSpotify, { query })
  return { found: success ? result : null, message }
}

function Found({ track }: { track: SpotifyTrack }) {
  const { name, artists, album, popularity, matchScore, hasPreview, previewUrl, albumArt, spotifyUrl } = track
  return (
    <div className="grid gap-4">
      <div className="flex items-center gap-4">
        <span className="block size-16 flex-none">
          <AlbumArt title={name} art={albumArt} color="#1db954" />
        </span>
        <div className="grid min-w-0">
          <b dir="auto" className="text-left font-semibold wrap-anywhere">
            {name}
          </b>
          <span dir="auto" className="text-left text-ink-2 wrap-anywhere">
            {artists.join(', ')}
          </span>
        </div>
      </div>
      <Facts>
        <Fact name="Album">{album}</Fact>
        <Fact name="Match">
          <MatchBadge score={matchScore} />
        </Fact>
        <Fact name="Popularity">
          {popularity === null ? 'not available to this application' : `${popularity}/100`}
        </Fact>
        <Fact name="Preview">
          <span className="flex flex-wrap items-center gap-2">
            <Tag tone={hasPreview ? 'good' : 'poor'}>{hasPreview ? 'Has a preview' : 'No preview'}</Tag>
            {previewUrl && isWebAddress(previewUrl) && (
              <a href={previewUrl} target="_blank" rel="noopener noreferrer" className="text-xs underline">
                {previewUrl}
              </a>
            )}
          </span>
        </Fact>
      </Facts>
      {isWebAddress(spotifyUrl) && (
        <a
          href={spotifyUrl}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonLook({ className: 'justify-self-start' })}
        >
          <ExternalLink className="size-5" strokeWidth={1.75} aria-hidden="true" />
          Open in Spotify
        </a>
      )}
    </div>
  )
}

const isWebAddress = (address: string) => /^https?:\/\//i.test(address)

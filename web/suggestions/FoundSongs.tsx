import type { FoundSong } from '../../contract/suggestions.ts'
import { AlbumArt } from '../ui/AlbumArt.tsx'
import type { Draft } from './SuggestionForm.tsx'
import { hereAlready } from './suggestionWords.ts'

interface FoundSongsProps {
  songs: readonly FoundSong[]
  onChoose: (draft: Draft) => void
}

/** Songs of the catalogue, which are here already, and of Deezer, which can be chosen (desk-4). */
export function FoundSongs({ songs, onChoose }: FoundSongsProps) {
  if (songs.length === 0) return null
  return (
    <ul aria-label="Songs found" className="border-t border-line">
      {songs.map((song) => {
        const { title, artist, address, known } = song
        const choose = () => onChoose({ title, artist, year: null, address })
        return (
          <li key={address ?? known?.id} className="border-b border-line">
            {known ? (
              <div className="flex min-h-16 items-center gap-3.5 py-2 text-ink-2">
                <Words song={song} note={hereAlready(known)} />
              </div>
            ) : (
              <button
                type="button"
                onClick={choose}
                className="flex min-h-16 w-full items-center gap-3.5 py-2 text-left hover:bg-raised focus-visible:-outline-offset-2"
              >
                <Words song={song} note={null} />
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Words({ song: { title, artist, albumArt }, note }: { song: FoundSong; note: string | null }) {
  return (
    <>
      <span className="block size-12 flex-none">
        <AlbumArt title={title} art={albumArt} color={NO_COLOR} />
      </span>
      <span className="grid min-w-0 flex-1">
        <b dir="auto" className="line-clamp-2 text-left font-semibold wrap-anywhere">
          {title}
        </b>
        <span dir="auto" className="line-clamp-2 text-left text-xs text-ink-2 wrap-anywhere">
          {artist}
        </span>
        {note && <span className="text-xs text-ink-2">{note}</span>}
      </span>
    </>
  )
}

/** A song that is found belongs to no microgenre yet. */
const NO_COLOR = '#8a8a8a'

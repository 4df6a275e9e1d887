import { useState } from 'react'
import { isolateName } from '../../contract/isolateName.ts'
import { type FoundSong, MAX_ADDRESS_LENGTH, type RecognisedSong } from '../../contract/suggestions.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { AlbumArt } from '../ui/art/AlbumArt.tsx'
import { Button } from '../ui/controls/Button.tsx'
import { SearchField } from '../ui/controls/SearchField.tsx'
import { BackButton } from '../ui/dialogs/BackButton.tsx'
import { focusElement } from '../ui/keyboard/focusElement.ts'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { type SentSuggestion, type SuggestionDraft, SuggestionForm } from './SuggestionForm.tsx'
import { formatCatalogueLocation, formatRemaining, formatVotes } from './suggestionTexts.ts'
import { useSongLookup } from './useSongLookup.ts'

interface NewSuggestionProps {
  /** Of the first search. */
  words: string
  remaining: number | null
}

/** Finds a song by its address or by words, lets the listener correct it, and sends it (desk-24). */
export function NewSuggestion({ words, remaining }: NewSuggestionProps) {
  const [searchText, setSearchText] = useState(words)
  const [chosenDraft, setChosenDraft] = useState<SuggestionDraft | null>(null)
  const [sentSuggestion, setSentSuggestion] = useState<SentSuggestion | null>(null)
  if (sentSuggestion) {
    const startOver = () => {
      setSentSuggestion(null)
      setChosenDraft(null)
      setSearchText('')
    }
    return <Thanks {...sentSuggestion} onAnother={startOver} />
  }
  return (
    <>
      <SearchField
        label="Address, or artist and title"
        placeholder="Address, or artist and title"
        dir="auto"
        maxLength={MAX_ADDRESS_LENGTH}
        value={searchText}
        onChange={(text) => {
          setSearchText(text)
          setChosenDraft(null)
        }}
      />
      {chosenDraft ? (
        <>
          <BackButton onBack={() => setChosenDraft(null)}>Choose another</BackButton>
          <SuggestionForm draft={chosenDraft} remaining={remaining} onSent={setSentSuggestion} />
        </>
      ) : (
        <SearchResults
          searchText={searchText}
          remaining={remaining}
          onChoose={setChosenDraft}
          onSent={setSentSuggestion}
        />
      )}
    </>
  )
}

interface SearchResultsProps {
  searchText: string
  remaining: number | null
  onChoose: (draft: SuggestionDraft) => void
  onSent: (sentSuggestion: SentSuggestion) => void
}

function SearchResults({ searchText, remaining, onChoose, onSent }: SearchResultsProps) {
  const { recognisedSong, searchResult, isSearching, error, retry } = useSongLookup(searchText)
  const enterManually = () => onChoose({ ...parseArtistAndTitle(searchText), year: null, address: null })
  if (isSearching) {
    return <Loading className="">Looking...</Loading>
  }
  if (error) {
    const refusal = refusalMessage(error)
    if (refusal) return <p role="alert">{refusal}</p>
    return <LoadFailure onRetry={retry}>The search did not work. Check your connection.</LoadFailure>
  }
  if (recognisedSong)
    return (
      <RecognisedSuggestion
        key={recognisedSong.address}
        song={recognisedSong}
        remaining={remaining}
        onSent={onSent}
      />
    )
  if (!searchResult) return <p className="text-ink-2">{SEARCH_HINT}</p>
  const { songs } = searchResult
  return (
    <>
      <FoundSongs songs={songs} onChoose={onChoose} />
      <p role="status" className={songs.length > 0 ? 'sr-only' : 'wrap-anywhere text-ink-2'}>
        {songs.length > 0 ? `${songs.length} songs` : `Nothing found for “${searchText.trim()}”.`}
      </p>
      {!searchResult.deezer && <p className="text-ink-2">{DEEZER_UNAVAILABLE}</p>}
      <Button className="justify-self-start" onClick={enterManually}>
        Type title and artist
      </Button>
    </>
  )
}

const SEARCH_HINT =
  'An address at YouTube, Spotify, Deezer, Bandcamp or MusicBrainz, or words of artist and title. A steward listens to every song before it is added.'

const DEEZER_UNAVAILABLE =
  'Deezer does not answer right now, so only songs of our catalogue were found. You can type title and artist.'

/** 'Artist - Title' is a common way to write a song; anything else is taken for the title. */
function parseArtistAndTitle(searchText: string): Pick<SuggestionDraft, 'title' | 'artist'> {
  const [artist, title] = searchText.trim().split(/\s[-–—]\s/)
  return artist && title ? { artist, title } : { artist: '', title: searchText.trim() }
}

/** The song of a URL: in the catalogue already, or to be checked and sent. */
function RecognisedSuggestion({
  song,
  ...rest
}: { song: RecognisedSong } & Pick<SearchResultsProps, 'remaining' | 'onSent'>) {
  const { known: catalogueSong, title, artist, year, address, message, votes } = song
  if (catalogueSong) {
    return (
      <p role="status">
        <bdi className="font-semibold wrap-anywhere">{catalogueSong.title}</bdi> by{' '}
        <bdi className="wrap-anywhere">{catalogueSong.artist}</bdi>. {formatCatalogueLocation(catalogueSong)}.
      </p>
    )
  }
  return (
    <>
      <p role="status" className="text-ink-2">
        {message ?? 'Recognised. Please check title and artist.'}
        {votes > 0 && ` ${formatVotes(votes)} already; yours counts, too.`}
      </p>
      <SuggestionForm draft={{ title: title ?? '', artist: artist ?? '', year, address }} {...rest} />
    </>
  )
}

/** What happens next. */
function Thanks({
  suggestion,
  isVote,
  left: remaining,
  onAnother,
}: SentSuggestion & { onAnother: () => void }) {
  const { title, artist, microgenre, votes } = suggestion
  return (
    <div
      ref={focusElement}
      tabIndex={-1}
      role="status"
      className="grid justify-items-start gap-4 outline-none"
    >
      <h3>It waits at the desk</h3>
      <div className="grid">
        <b dir="auto" className="text-left font-semibold wrap-anywhere">
          {title}
        </b>
        <span dir="auto" className="text-left wrap-anywhere text-ink-2">
          {artist}
        </span>
      </div>
      <p>
        {isVote && `${formatVotes(votes)}. `}
        {`A steward listens to it; songs that many ask for come first. Once approved, it is the last song of ${isolateName(microgenre)}, for everybody. ‘Yours’ shows what became of it.`}
      </p>
      <p className="text-ink-2">{formatRemaining(remaining)}</p>
      <Button onClick={onAnother}>Suggest another</Button>
    </div>
  )
}

interface FoundSongsProps {
  songs: readonly FoundSong[]
  onChoose: (draft: SuggestionDraft) => void
}

/** Songs of the catalogue, which are here already, and of Deezer, which can be chosen (desk-4). */
function FoundSongs({ songs, onChoose }: FoundSongsProps) {
  if (songs.length === 0) return null
  return (
    <ul aria-label="Songs found" className="border-t border-line">
      {songs.map((song) => {
        const { title, artist, address, known: catalogueSong } = song
        const choose = () => onChoose({ title, artist, year: null, address })
        return (
          <li key={address ?? catalogueSong?.id} className="border-b border-line">
            {catalogueSong ? (
              <div className="flex min-h-16 items-center gap-3 py-2 text-ink-2">
                <SongText song={song} note={formatCatalogueLocation(catalogueSong)} />
              </div>
            ) : (
              <button
                type="button"
                onClick={choose}
                className="flex min-h-16 w-full items-center gap-3 py-2 text-left hover:bg-raised focus-visible:-outline-offset-2"
              >
                <SongText song={song} note={null} />
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function SongText({ song: { title, artist, albumArt }, note }: { song: FoundSong; note: string | null }) {
  return (
    <>
      <span className="block size-12 flex-none">
        <AlbumArt title={title} art={albumArt} color={FALLBACK_COLOR} />
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
const FALLBACK_COLOR = '#8a8a8a'

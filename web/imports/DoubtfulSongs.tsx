import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { create } from 'zustand'
import { answerImportSong, listImportSongs } from '../../contract/imports.ts'
import { call } from '../api/call.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Kbd } from '../ui/keyboard/Kbd.tsx'
import { useFocusFallback } from '../ui/keyboard/useFocusFallback.ts'
import { useHotkeys } from '../ui/keyboard/useHotkeys.ts'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { toast } from '../ui/toast.ts'
import { importQuery } from './followImport.ts'
import { formatUse } from './importTexts.ts'
import { useImportSongs } from './useImportSongs.ts'

/** The answers of this visit to an import's doubtful songs, by place; null was put off. The last one can be undone. */
type Answers = ReadonlyMap<number, boolean | null>

const NO_ANSWERS: Answers = new Map()

/** By import. The page may be left and opened again. */
const useAnswers = create<Record<string, Answers>>(() => ({}))

/** Two songs side by side, and keys like those of the desk: → is the same song, ← is not (imports-33). */
export function DoubtfulSongs({ id, total }: { id: string; total: number }) {
  const queryClient = useQueryClient()
  const { songs, isError, refetch, hasNextPage, loadMore } = useImportSongs(id, 'doubtful')
  const answers = useAnswers((all) => all[id] ?? NO_ANSWERS)
  function store(place: number, answer?: boolean | null) {
    const next = new Map(useAnswers.getState()[id])
    next.delete(place)
    if (answer !== undefined) next.set(place, answer)
    useAnswers.setState({ [id]: next })
  }
  const answering = useMutation({
    mutationFn: ({ place, isSame }: { place: number; isSame: boolean | null }) =>
      call(answerImportSong, { params: { id, place: `${place}` }, body: { isSame } }),
    onSuccess(_, { place, isSame }) {
      store(place, isSame ?? undefined)
      void queryClient.invalidateQueries({ queryKey: importQuery(id).queryKey })
      // It may have come with the answer.
      if (isSame === null) void queryClient.invalidateQueries({ queryKey: [listImportSongs.path, id] })
    },
    onError: () => toast.error('Your answer was not saved. Please try again.'),
  })
  // What an earlier visit answered is in the response.
  const current = songs?.find(({ place, isSame }) => isSame === null && !answers.has(place))
  const last = [...answers].at(-1)
  const answer = (isSame: boolean) => current && answering.mutate({ place: current.place, isSame })
  const putOff = () => current && store(current.place, null)
  function undo() {
    if (!last) return
    const [place, said] = last
    if (said === null) store(place)
    else answering.mutate({ place, isSame: null })
  }
  useHotkeys({
    ArrowLeft: () => answer(false),
    ArrowRight: () => answer(true),
    s: putOff,
    u: undo,
  })
  const isLoadingMore = songs !== undefined && !current && hasNextPage && !isError
  useEffect(() => {
    if (isLoadingMore) loadMore()
  })
  const element = useRef<HTMLDivElement>(null)
  useFocusFallback(element)

  if (!songs)
    return isError ? (
      <LoadFailure onRetry={refetch}>The doubtful songs did not load.</LoadFailure>
    ) : (
      <Loading>Loading the songs...</Loading>
    )
  return (
    <div ref={element} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-4 outline-none">
      {current ? (
        <section aria-label="Doubtful song" className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <p className="text-xs text-ink-2 tabular-nums">
            {`${(songs.indexOf(current) + 1).toLocaleString('en')} of ${total.toLocaleString('en')}`}
          </p>
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-4">
            <Side heading="In your file" title={current.title} artist={current.artist}>
              {formatUse(current)}
            </Side>
            {current.song && (
              <Side heading="Known here" title={current.song.title} artist={current.song.artist}>
                <bdi>{current.song.microgenre}</bdi>
                {current.song.year !== null && ` · ${current.song.year}`}
              </Side>
            )}
          </div>
          <div className="grid grid-cols-2 gap-3">
            <Button
              size="big"
              className="px-3!"
              aria-keyshortcuts="ArrowLeft"
              aria-disabled={answering.isPending || undefined}
              onClick={() => answer(false)}
            >
              <Kbd isHint>←</Kbd>
              <span className="whitespace-normal">Another song</span>
            </Button>
            <Button
              variant="main"
              size="big"
              className="px-3!"
              aria-keyshortcuts="ArrowRight"
              aria-disabled={answering.isPending || undefined}
              onClick={() => answer(true)}
            >
              <span className="whitespace-normal">The same song</span>
              <Kbd isHint>→</Kbd>
            </Button>
          </div>
        </section>
      ) : isLoadingMore ? (
        <Loading>Loading more songs...</Loading>
      ) : hasNextPage ? (
        <LoadFailure onRetry={loadMore}>The rest did not load.</LoadFailure>
      ) : (
        <p role="status" className="text-base text-ink-2">
          {songs.length === 0 ? 'Nothing is doubtful.' : 'No doubtful song is left.'}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {current && (
          <Button size="tight" aria-keyshortcuts="S" onClick={putOff}>
            Not now
            <Kbd isHint>S</Kbd>
          </Button>
        )}
        {last && (
          <Button size="tight" aria-keyshortcuts="U" pending={answering.isPending} onClick={undo}>
            Undo
            <Kbd isHint>U</Kbd>
          </Button>
        )}
      </div>
    </div>
  )
}

interface SideProps {
  heading: string
  title: string
  artist: string
  children: ReactNode
}

function Side({ heading, title, artist, children }: SideProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-1">
      <h3 className="text-xs text-ink-2">{heading}</h3>
      <b dir="auto" className="text-left text-base font-semibold wrap-anywhere">
        {title}
      </b>
      <span dir="auto" className="text-left wrap-anywhere">
        {artist}
      </span>
      <span className="text-xs wrap-anywhere text-ink-2">{children}</span>
    </div>
  )
}

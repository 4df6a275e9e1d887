import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { answerImportSong, getImport } from '../../contract/imports.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Kbd } from '../ui/keyboard/Kbd.tsx'
import { useHotkeys } from '../ui/keyboard/useHotkeys.ts'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { toast } from '../ui/toast.ts'
import { formatUse } from './importTexts.ts'
import { useHeap } from './useHeap.ts'

/** Two songs side by side, and keys like those of the desk: → is the same song, ← is not (imports-33). */
export function DoubtfulSongs({ id, total }: { id: string; total: number }) {
  const queryClient = useQueryClient()
  const { songs, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useHeap(id, 'doubtful')
  /** What was said in this visit, by place; null was put off. The last one can be undone. */
  const [answers, setAnswers] = useState<ReadonlyMap<number, boolean | null>>(new Map())
  const answering = useMutation({
    mutationFn: ({ place, isSame }: { place: number; isSame: boolean | null }) =>
      call(answerImportSong, { params: { id, place: `${place}` }, body: { isSame } }),
    onSuccess(_, { place, isSame }) {
      const others = [...answers].filter(([answered]) => answered !== place)
      setAnswers(new Map(isSame === null ? others : [...others, [place, isSame]]))
      void queryClient.invalidateQueries({ queryKey: query(getImport, { params: { id } }).queryKey })
    },
    onError: () => toast.error('Your answer was not saved. Please try again.'),
  })
  const current = songs?.find(({ place, isSame }) => isSame === null && !answers.has(place))
  const last = [...answers].at(-1)
  const answer = (isSame: boolean) => current && answering.mutate({ place: current.place, isSame })
  const putOff = () => current && setAnswers(new Map([...answers, [current.place, null]]))
  function undo() {
    if (!last) return
    const [place, said] = last
    if (said === null) setAnswers(new Map([...answers].slice(0, -1)))
    else answering.mutate({ place, isSame: null })
  }
  useHotkeys({
    ArrowLeft: () => answer(false),
    ArrowRight: () => answer(true),
    s: putOff,
    u: undo,
  })

  if (!songs)
    return isError ? (
      <LoadFailure onRetry={refetch}>The doubtful songs did not load.</LoadFailure>
    ) : (
      <Loading>Loading the songs...</Loading>
    )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {current ? (
        <section aria-label="Doubtful song" className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <p className="text-xs text-ink-2 tabular-nums">
            {`${songs.indexOf(current) + 1} of ${total.toLocaleString('en')}`}
          </p>
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-4">
            <Side heading="The file says" title={current.title} artist={current.artist}>
              {formatUse(current)}
            </Side>
            {current.song && (
              <Side heading="We have" title={current.song.title} artist={current.song.artist}>
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
      ) : hasNextPage ? (
        isError ? (
          <LoadFailure onRetry={fetchNextPage}>The rest did not load.</LoadFailure>
        ) : (
          <Button className="justify-self-start" pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Show the next songs
          </Button>
        )
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

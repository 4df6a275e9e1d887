import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { answerImportSong, type ImportSong } from '../../contract/imports.ts'
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
import { importSongsKey, useImportSongs } from './useImportSongs.ts'

/** Two songs side by side, and keys like those of the desk: → is the same song, ← is not (imports-33). */
export function DoubtfulSongs({ id, total }: { id: string; total: number }) {
  const queryClient = useQueryClient()
  const { songs, isError, refetch, hasNextPage, loadMore } = useImportSongs(id, 'doubtful')
  /** What can be undone, last first. */
  const [answered, setAnswered] = useState<readonly ImportSong[]>([])
  const answering = useMutation({
    mutationFn: ({ place, isSame }: ImportSong) =>
      call(answerImportSong, { params: { id, place: `${place}` }, body: { isSame } }),
    onSuccess(_, song) {
      const queryKey = importSongsKey(id, 'doubtful')
      // A page under way would bring back the songs before it as they were.
      void queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData<InfiniteData<ImportSong[]>>(
        queryKey,
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => page.map((each) => (each.place === song.place ? song : each))),
          },
      )
      setAnswered(song.isSame === null ? answered.slice(1) : [song, ...answered])
      void queryClient.invalidateQueries({ queryKey: importQuery(id).queryKey })
    },
    onError: () => toast.error('Your answer was not saved. Please try again.'),
  })
  const index = songs?.findIndex(({ isSame }) => isSame === null) ?? -1
  const current = songs?.[index]
  const [last] = answered
  const answer = (isSame: boolean) => current && answering.mutate({ ...current, isSame })
  const undo = () => last && answering.mutate({ ...last, isSame: null })
  useHotkeys({ ArrowLeft: () => answer(false), ArrowRight: () => answer(true), u: undo })
  const isLoadingMore = songs !== undefined && !current && hasNextPage && !isError
  useEffect(() => {
    if (isLoadingMore) loadMore()
  })
  const element = useRef<HTMLDivElement>(null)
  useFocusFallback(element)

  return (
    <div ref={element} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-4 outline-none">
      {current ? (
        <section aria-label="Doubtful song" className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <p className="text-xs text-ink-2 tabular-nums">
            {`${(index + 1).toLocaleString('en')} of ${total.toLocaleString('en')}`}
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
              className="px-3! whitespace-normal!"
              aria-keyshortcuts="ArrowLeft"
              pending={answering.isPending}
              onClick={() => answer(false)}
            >
              <Kbd isHint>←</Kbd>
              Another song
            </Button>
            <Button
              variant="main"
              size="big"
              className="px-3! whitespace-normal!"
              aria-keyshortcuts="ArrowRight"
              pending={answering.isPending}
              onClick={() => answer(true)}
            >
              The same song
              <Kbd isHint>→</Kbd>
            </Button>
          </div>
        </section>
      ) : isError ? (
        <LoadFailure onRetry={songs ? loadMore : refetch}>The doubtful songs did not load.</LoadFailure>
      ) : !songs || hasNextPage ? (
        <Loading>Loading the songs...</Loading>
      ) : (
        <p role="status" className="text-base text-ink-2">
          No doubtful song is left.
        </p>
      )}
      {last && (
        <Button
          size="tight"
          className="justify-self-start"
          aria-keyshortcuts="U"
          pending={answering.isPending}
          onClick={undo}
        >
          Undo
          <Kbd isHint>U</Kbd>
        </Button>
      )}
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

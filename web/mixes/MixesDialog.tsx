import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { isolateName, songName } from '../../contract/isolateName.ts'
import type { RatedSong } from '../../contract/library.ts'
import {
  createMix,
  deleteMix,
  listMixes,
  MAX_MIX_NAME_LENGTH,
  MAX_MIX_SONGS,
  type Mix,
  updateMix,
} from '../../contract/mixes.ts'
import type { Song } from '../../contract/shapes.ts'
import { refusalMessage } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { ShareLinkOptions } from '../sharing/ShareOptions.tsx'
import { AlbumArt } from '../ui/art/AlbumArt.tsx'
import { Button } from '../ui/controls/Button.tsx'
import { Field, Select } from '../ui/controls/Field.tsx'
import { Form, SubmitButton } from '../ui/controls/Form.tsx'
import { OrderedList } from '../ui/controls/OrderedList.tsx'
import { SwitchRow } from '../ui/controls/SwitchRow.tsx'
import { BackButton } from '../ui/dialogs/BackButton.tsx'
import { DeleteButton } from '../ui/dialogs/Confirmation.tsx'
import { Dialog, type OpenState } from '../ui/dialogs/Dialog.tsx'
import { LoadFailure, Loading } from '../ui/page/Loading.tsx'
import { closeDetail, closeDialog, openDialog, useScreenParams } from '../ui/screenParams.ts'
import { toast } from '../ui/toast.ts'
import { mixSources } from './mixSources.ts'

export interface MixesDialogProps extends OpenState {
  /** Newest first. */
  bangers: readonly RatedSong[]
  /** What the library shows, in its order. */
  shown: readonly RatedSong[]
  /** What is selected in it; null when nothing can be. */
  selectedIds: ReadonlySet<string> | null
  onSelect: (selectedIds: ReadonlySet<string> | null) => void
}

/** The listener's mixes, and a form for a new one. Choosing one shows it in place of the list (sharing-22). */
export function MixesDialog({ open, onOpenChange, ...songs }: MixesDialogProps) {
  const { mix } = useScreenParams()
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={mix === null ? 'Your Mixes' : 'Edit Mix'}
      width="36rem"
      tall
    >
      <Mixes mixId={mix} {...songs} />
    </Dialog>
  )
}

type MixesProps = Omit<MixesDialogProps, keyof OpenState> & { mixId: string | null }

function Mixes({ mixId, onSelect, ...library }: MixesProps) {
  // Songs leave a mix with their rating, so it is requested whenever it appears.
  const { data: mixes, isError, refetch } = useQuery({ ...query(listMixes), staleTime: 0 })
  if (!mixes) {
    return isError ? (
      <LoadFailure onRetry={refetch}>
        Your mixes did not load. Check your connection and try again.
      </LoadFailure>
    ) : (
      <Loading>Loading your mixes...</Loading>
    )
  }
  if (mixId !== null) {
    const mix = mixes.find(({ id }) => id === mixId)
    return (
      <>
        <BackButton onBack={() => closeDetail('mix')}>All mixes</BackButton>
        {mix ? (
          <MixPage key={mixId} mix={mix} bangers={library.bangers} />
        ) : (
          <p className="text-base text-ink-2">You have no such mix.</p>
        )}
      </>
    )
  }
  return (
    <>
      <NewMix sources={mixSources(library)} onSelect={onSelect} />
      {mixes.length > 0 && (
        <ul aria-label="Mixes" className="border-t border-line">
          {mixes.map(({ id, name, songIds, shareToken }) => (
            <li key={id} className="border-b border-line">
              <button
                type="button"
                onClick={() => openDialog('mixes', { mix: id })}
                className="grid min-h-16 w-full content-center py-2 text-left hover:bg-raised focus-visible:-outline-offset-2"
              >
                <b dir="auto" className="font-semibold wrap-anywhere">
                  {name}
                </b>
                <span className="text-xs text-ink-2 tabular-nums">
                  {`${formatSongs(songIds.length)} · ${shareToken === null ? 'Private' : 'Public'}`}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function findSongs(songIds: string[], bangers: readonly RatedSong[]): Song[] {
  const songs = new Map(bangers.map(({ song }) => [song.id, song]))
  return songIds.flatMap((id) => songs.get(id) ?? [])
}

const formatSongs = (n: number) => `${n} ${n === 1 ? 'song' : 'songs'}`

interface NewMixProps extends Pick<MixesDialogProps, 'onSelect'> {
  sources: ReturnType<typeof mixSources>
}

function NewMix({ sources, onSelect }: NewMixProps) {
  const [name, setName] = useState('')
  const [sourceName, setSourceName] = useState('')
  const selectId = useId()
  const songs = (sources.find((source) => source.name === sourceName) ?? sources[0])?.songs ?? []
  const songIds = songs.slice(0, MAX_MIX_SONGS).map(({ id }) => id)
  const creating = useChange({
    send: () => call(createMix, { body: { name, songIds, isPublic: true } }),
    apply: (mix, all) => [mix, ...all],
    message: 'Mix created!',
    next({ id }) {
      onSelect(null)
      openDialog('mixes', { mix: id })
    },
  })
  return (
    <Form onSubmit={() => creating.mutate()}>
      <NameField name={name} onChange={setName} />
      <div className="grid gap-1.5">
        <label htmlFor={selectId} className="font-semibold">
          Songs
        </label>
        <Select
          id={selectId}
          value={sourceName}
          options={sources.map((source, i) => ({
            value: i === 0 ? '' : source.name,
            name: `${source.name} (${source.songs.length.toLocaleString()})`,
          }))}
          onChange={setSourceName}
        />
      </div>
      {songs.length > MAX_MIX_SONGS && (
        <p className="text-ink-2">A mix has at most {MAX_MIX_SONGS} songs. It gets the first ones.</p>
      )}
      <div className="flex flex-wrap gap-3">
        <SubmitButton pending={creating.isPending} pendingText="Creating...">
          Create Mix
        </SubmitButton>
        <Button
          onClick={() => {
            onSelect(new Set())
            closeDialog('mixes')
          }}
        >
          Select songs
        </Button>
      </div>
    </Form>
  )
}

/** A mix: its link, and everything that its owner can change. After a failure the form keeps what was entered. */
function MixPage({ mix, bangers }: { mix: Mix; bangers: readonly RatedSong[] }) {
  const { id, name, shareToken } = mix
  const [changes, setChanges] = useState<Partial<Pick<Mix, 'name' | 'songIds'> & { isPublic: boolean }>>({})
  const draft = { name, isPublic: shareToken !== null, songIds: mix.songIds, ...changes }
  const songs = findSongs(draft.songIds, bangers)
  // Rated elsewhere meanwhile, so the library does not know them yet, or no more.
  const otherIds = draft.songIds.filter((songId) => !songs.some((song) => song.id === songId))
  const saving = useChange({
    send: () => call(updateMix, { params: { id }, body: changes }),
    apply: (changed, all) => all.map((one) => (one.id === id ? changed : one)),
    message: 'Mix saved',
  })
  const deleting = useChange({
    send: () => call(deleteMix, { params: { id } }),
    apply: (_, all) => all.filter((one) => one.id !== id),
    message: 'Mix deleted',
    next: () => closeDetail('mix'),
  })
  return (
    <>
      {shareToken !== null && (
        <ShareLinkOptions kind="mix" shareToken={shareToken} text={`‘${name}’, a mix on Banger or Bust.`} />
      )}
      <Form onSubmit={() => saving.mutate()}>
        <NameField name={draft.name} onChange={(value) => setChanges({ ...changes, name: value })} />
        <SwitchRow
          name="Public"
          isOn={draft.isPublic}
          onChange={(isPublic) => setChanges({ ...changes, isPublic })}
        >
          {draft.isPublic
            ? 'Whoever has the link sees the mix, your name and your picture.'
            : `Only you see it. ${shareToken === null ? 'A private mix has no link.' : 'Its link stops working when you save.'}`}
        </SwitchRow>
        <OrderedList
          legend="Songs"
          items={songs.map((song) => ({ ...song, name: songName(song) }))}
          onChange={(ordered) =>
            setChanges({ ...changes, songIds: [...ordered.map((song) => song.id), ...otherIds] })
          }
          art={({ title, albumArt, color }) => <AlbumArt title={title} art={albumArt} color={color} />}
        />
        <SubmitButton pending={saving.isPending} pendingText="Saving...">
          Save
        </SubmitButton>
      </Form>
      <DeleteButton label="Delete mix" isPending={deleting.isPending} onConfirm={() => deleting.mutate()}>
        {`Delete ‘${isolateName(name)}’? This cannot be undone.${shareToken === null ? '' : ' Its link stops working.'}`}
      </DeleteButton>
    </>
  )
}

const NameField = ({ name, onChange }: { name: string; onChange: (name: string) => void }) => (
  <Field
    label="Name"
    required
    dir="auto"
    autoComplete="off"
    maxLength={MAX_MIX_NAME_LENGTH}
    value={name}
    onChange={onChange}
  />
)

interface Change<T> {
  send: () => Promise<T>
  /** The list after it. */
  apply: (result: T, all: Mix[]) => Mix[]
  message: string
  next?: (result: T) => void
}

function useChange<T>({ send, apply, message, next }: Change<T>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess(result) {
      queryClient.setQueryData<Mix[]>(query(listMixes).queryKey, (all) => all && apply(result, all))
      next?.(result)
      toast({ title: message, tone: 'success' })
    },
    onError: (error) => toast.error(refusalMessage(error) ?? 'Nothing was changed. Please try again.'),
  })
}

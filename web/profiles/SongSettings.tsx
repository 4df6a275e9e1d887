import { useRef, useState } from 'react'
import { type SongChoice as Choice, SONG_CHOICES } from '../../contract/auth.ts'
import { updateProfile } from '../../contract/profiles.ts'
import { call } from '../api/call.ts'
import { useMutation } from '../api/useMutation.ts'
import { setCurrentUser, useCurrentUser } from '../auth/currentUser.ts'
import { SwitchRow } from '../ui/controls/SwitchRow.tsx'
import { toast } from '../ui/toast.ts'
import { useUpdateProfile } from './useUpdateProfile.ts'

/** Which songs come (discover-70), and whether they are covered (discover-92). */
export function SongSettings() {
  const { user } = useCurrentUser()
  const saving = useUpdateProfile()
  return (
    <div className="grid gap-4">
      <SongChoice />
      <SwitchRow
        name="Ear first"
        isOn={(saving.isPending ? saving.variables?.earFirst : user?.earFirst) ?? false}
        onChange={(earFirst) => saving.mutate({ earFirst })}
      >
        Title, artist and art of the songs that follow are covered until your verdict. They play without their
        video, which shows its title.
      </SwitchRow>
    </div>
  )
}

/** How Discover chooses songs: from the listener's taste to chance alone (discover-70). */
function SongChoice() {
  const { user } = useCurrentUser()
  const { pendingChoice, choose } = useSaveSongChoice()
  const selectedChoice = pendingChoice ?? user?.songChoice
  return (
    <fieldset className="grid gap-1">
      <legend className="pb-1 font-semibold">Which songs come</legend>
      {SONG_CHOICES.map((choice) => (
        <label
          key={choice}
          className="grid min-h-(--size-touch) cursor-pointer grid-cols-[auto_minmax(0,1fr)] gap-x-3 py-1.5"
        >
          <input
            type="radio"
            name="song-choice"
            value={choice}
            checked={choice === selectedChoice}
            onChange={() => choose(choice)}
            className="mt-0.5 size-5 accent-ink"
          />
          <span className="grid gap-0.5">
            {choiceNames[choice]}
            <span className="text-xs text-ink-2">{choiceDescriptions[choice]}</span>
          </span>
        </label>
      ))}
      <p className="text-xs text-ink-2">
        Up to five songs are chosen already. Your choice applies to those after them.
      </p>
    </fieldset>
  )
}

const choiceNames = {
  liked: 'What I like',
  both: 'Some of both',
  surprise: 'Surprise me',
  shuffle: 'Plain shuffle',
} satisfies Record<Choice, string>

const choiceDescriptions = {
  liked: 'Songs that fit your bangers come first, known or unknown.',
  both: 'Songs that fit your bangers, and songs that few have heard.',
  surprise: 'Songs that few have heard come first, and your bangers count for less.',
  shuffle: 'Songs come in random order.',
} satisfies Record<Choice, string>

/** Saves until the latest choice is stored: arrow keys change it faster than the server answers. */
function useSaveSongChoice() {
  const [pendingChoice, setPendingChoice] = useState<Choice | null>(null)
  const latestChoice = useRef<Choice>('both')
  const { mutate } = useMutation({
    async mutationFn() {
      for (;;) {
        const songChoice = latestChoice.current
        const user = await call(updateProfile, { body: { songChoice } })
        if (latestChoice.current === songChoice) return user
      }
    },
    onSuccess: setCurrentUser,
    onError: () => toast.error('Failed to save your choice. Please try again.'),
    onSettled: () => setPendingChoice(null),
  })
  return {
    pendingChoice,
    choose(choice: Choice) {
      latestChoice.current = choice
      setPendingChoice(choice)
      mutate()
    },
  }
}

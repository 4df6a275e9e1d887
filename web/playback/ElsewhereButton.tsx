import { ExternalLink } from 'lucide-react'
import type { Song } from '../../contract/shapes.ts'
import { config } from '../api/config.ts'
import { buttonLook } from '../ui/Button.tsx'
import { openDialog } from '../ui/place.ts'

/** Whether the operator offers links to other services (playback-60). */
export const canHearElsewhere = config.hearElsewhere.length > 0

export const hearElsewhere = (song: Song) => openDialog('elsewhere', { song })

interface ElsewhereButtonProps {
  /** Null while it is loading: the button keeps its place. */
  song: Song | null
  /** Shows the words beside the icon. */
  hasWords?: boolean
  /** In a list, where its name tells the song. */
  isOneOfMany?: boolean
  /** Instead of a button's usual classes. */
  className?: string
}

/** Leads to the song at other services; nothing where the operator offers none. */
export function ElsewhereButton({
  song,
  hasWords = false,
  isOneOfMany = false,
  className = buttonLook({ variant: 'bare', size: hasWords ? 'tight' : 'square' }),
}: ElsewhereButtonProps) {
  if (!canHearElsewhere) return null
  return (
    <button
      type="button"
      aria-label={isOneOfMany && song ? `${WORDS}: ${song.title}` : WORDS}
      title={hasWords ? undefined : WORDS}
      className={`${className} ${song ? '' : 'invisible'}`}
      onClick={() => song && hearElsewhere(song)}
    >
      <ExternalLink className="size-5" strokeWidth={1.75} aria-hidden="true" />
      {hasWords && WORDS}
    </button>
  )
}

const WORDS = 'Hear it elsewhere'

/** After a preview (playback-61). */
export const WHOLE_SONG = 'Hear the whole song'

import type { Song } from '../../contract/shapes.ts'
import { config } from '../api/config.ts'
import { buttonClasses } from '../ui/controls/Button.tsx'
import { CircleAlert, ExternalLink } from '../ui/icons.tsx'
import { openDialog } from '../ui/screenParams.ts'
import { isCovered } from './coverSong.ts'

/** Whether the operator offers links to other services (playback-60). */
export const canHearElsewhere = config.hearElsewhere.length > 0

/** Opens the dialog with links to the song at other services and the reports about it (desk-22). */
export const openElsewhereDialog = (song: Song) => openDialog('elsewhere', { song })

interface ElsewhereButtonProps {
  /** While it loads (null) or is covered, the button is invisible. */
  song: Song | null
  /** Shows the label beside the icon. */
  hasLabel?: boolean
  /** In a list its accessible name contains the title. */
  isInList?: boolean
  /** Replaces a button's usual classes. */
  className?: string
}

/** The button to the song at other services and to reports about it, or to reports alone. */
export function ElsewhereButton({
  song,
  hasLabel = false,
  isInList = false,
  className = buttonClasses({ variant: 'bare', size: hasLabel ? 'tight' : 'square' }),
}: ElsewhereButtonProps) {
  const Icon = canHearElsewhere ? ExternalLink : CircleAlert
  return (
    <button
      type="button"
      aria-label={isInList && song ? `${LABEL}: ${song.title}` : LABEL}
      title={canHearElsewhere ? `${LABEL}, or report it` : LABEL}
      className={`${className} ${song && !isCovered(song) ? '' : 'invisible'}`}
      onClick={() => song && openElsewhereDialog(song)}
    >
      <Icon />
      {hasLabel && LABEL}
    </button>
  )
}

export const REPORT_LABEL = 'Something wrong?'

const LABEL = canHearElsewhere ? 'Hear it elsewhere' : REPORT_LABEL

/** The label after a preview (playback-61). */
export const WHOLE_SONG_LABEL = 'Hear the whole song'

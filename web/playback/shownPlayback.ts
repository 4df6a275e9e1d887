import { isOpen, type Phase, type Playback } from './playbackState.ts'

/** Whether the song can be controlled: the player is ready (playback-3). */
export function canToggle({ phase, player }: Playback): boolean {
  return phase !== 'loading' || player === 'ready' || player === 'played'
}

/** What the listener must press for sound: `tap` while it plays muted, `click` when the browser just blocked it. */
export function soundPrompt(state: Playback): 'tap' | 'click' | null {
  if (state.phase === 'blocked') return 'click'
  return isOpen(state) && state.sound === 'tap' ? 'tap' : null
}

/** The state of this song; null when another one is current. */
export function phaseOf({ song, phase }: Playback, songId: string | undefined): Phase | null {
  return song && song.id === songId ? phase : null
}

export type Notice = 'next-video' | 'next-preview' | 'switching' | 'silent' | 'preview'

/** The text shown instead of the video; null while the video shows. */
export function noticeOf(state: Playback): Notice | null {
  const { song, phase, source } = state
  if (!song) return 'next-video'
  if (phase === 'silent') return 'silent'
  if ('switching' in state && state.switching) return 'switching'
  const isPreview = isOpen(state) && source?.kind === 'preview'
  if (phase === 'loading') return isPreview ? 'next-preview' : 'next-video'
  return isPreview ? 'preview' : null
}

import { isPlayerOpen, type Phase, type Playback } from './playbackState.ts'

/** Whether the song can be controlled: the player is ready (playback-3). */
export function canToggle({ phase, player }: Playback): boolean {
  return phase !== 'loading' || player === 'ready' || player === 'played'
}

/** What the listener must press for sound: `tap` while it plays muted, `click` when the browser just blocked it. */
export function getSoundPrompt(state: Playback): 'tap' | 'click' | null {
  if (state.phase === 'blocked') return 'click'
  return isPlayerOpen(state) && state.sound === 'tap' ? 'tap' : null
}

/** The state of this song; null when another one is current. */
export function getSongPhase({ song, phase }: Playback, songId: string | undefined): Phase | null {
  return song && song.id === songId ? phase : null
}

/** Whether the current song plays, or is about to play, as a video. One that is only shown has no box yet. */
export function showsVideo({ source, player, phase }: Playback): boolean {
  return source?.kind === 'video' && (player !== 'closed' || phase === 'loading')
}

/** Whether the current song is opened but not on screen yet: its video must not show before its title. */
export function isPrepared(state: Playback): boolean {
  return 'isPrepared' in state && state.isPrepared
}

/** The same for its button, which shows 'Play' in every phase that waits for a press. */
export function getShownPhase(
  state: Playback,
  songId: string | undefined,
): 'loading' | 'playing' | 'silent' | 'paused' | null {
  const phase = getSongPhase(state, songId)
  return phase === null || phase === 'loading' || phase === 'playing' || phase === 'silent' ? phase : 'paused'
}

/** The video failed and nothing else plays yet (playback-14). */
export function isSwitching(state: Playback): boolean {
  return 'switching' in state && state.switching
}

/** Whether this song's preview has been heard to its end (playback-61). */
export function hasPreviewEnded({ song, phase, source }: Playback, songId: string | undefined): boolean {
  return phase === 'ended' && source?.kind === 'preview' && song.id === songId
}

/** Whether something plays, or is about to. */
export const isSounding = (phase: Phase): boolean => phase === 'playing' || phase === 'loading'

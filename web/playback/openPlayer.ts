import type { OpenPlayer, Source } from './player.ts'
import { findPreviewAhead } from './previewAddress.ts'
import { openPreviewPlayer } from './previewPlayer.ts'
import { loadIframeApi, openYoutubePlayer } from './youtubePlayer.ts'

export const openPlayer: OpenPlayer<Source> = (source, slot, tell) =>
  source.kind === 'video' ? openYoutubePlayer(source, slot, tell) : openPreviewPlayer(source, slot, tell)

/** Fetches what opening this source needs first. What fails is fetched again by opening it. */
export function fetchAhead(source: Source): void {
  if (source.kind === 'preview') findPreviewAhead(source)
  else loadIframeApi().catch(() => {})
}

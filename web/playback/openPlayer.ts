import type { OpenPlayer, Source } from './player.ts'
import { openPreviewPlayer } from './previewPlayer.ts'
import { openYoutubePlayer } from './youtubePlayer.ts'

export const openPlayer: OpenPlayer<Source> = (source, slot, tell) =>
  source.kind === 'video' ? openYoutubePlayer(source, slot, tell) : openPreviewPlayer(source, slot, tell)

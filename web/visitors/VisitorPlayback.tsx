import type { ReactNode } from 'react'
import type { Song } from '../../contract/shapes.ts'
import { getVisitorPreview, type VisitorSong } from '../../contract/visitors.ts'
import { call } from '../api/call.ts'
import { PlaybackProvider } from '../playback/PlaybackProvider.tsx'
import type { RequestPreview } from '../playback/previewPlayer.ts'

/** Playback that needs no session and reports nothing (visitors-2). Needs a QueryProvider. */
export const VisitorPlayback = ({ children }: { children: ReactNode }) => (
  <PlaybackProvider requestPreview={requestPreview}>{children}</PlaybackProvider>
)

/** The server looks nothing up again for visitors, so a preview that does not play is none. */
const requestPreview: RequestPreview = async ({ id }, fresh, signal) =>
  fresh
    ? { success: false, message: null, result: null }
    : call(getVisitorPreview, { params: { id } }, signal && { signal })

/** For playback. */
export const toSong = ({ microgenre, ...song }: VisitorSong): Song => ({
  ...song,
  year: null,
  spotifyId: null,
  deezerId: null,
  deezerTrackId: null,
  duration: null,
  microgenre: microgenre.name,
  microgenreId: microgenre.key,
  color: microgenre.color,
})

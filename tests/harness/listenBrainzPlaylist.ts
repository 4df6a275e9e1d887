const RECORDING = 'https://musicbrainz.org/recording/'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface Jspf {
  playlist?: {
    title?: unknown
    extension?: Record<string, { public?: unknown }>
    track?: { identifier?: unknown }[]
  }
}

/** What ListenBrainz' `POST /1/playlist/create` answers as 400; null for a playlist that it accepts. */
export function refusePlaylist({ playlist }: Jspf): string | null {
  if (!playlist) return 'no playlist'
  if (!playlist.title) return 'no title'
  const isPublic = playlist.extension?.['https://musicbrainz.org/doc/jspf#playlist']?.public
  if (typeof isPublic !== 'boolean') return 'public is not a boolean'
  for (const [n, { identifier }] of (playlist.track ?? []).entries()) {
    if (!Array.isArray(identifier) || identifier.length === 0) return `track ${n}: identifier is not a list`
    for (const address of identifier as unknown[]) {
      if (typeof address !== 'string' || !address.startsWith(RECORDING)) return `track ${n}: no recording`
      if (!UUID.test(address.slice(RECORDING.length))) return `track ${n}: no UUID`
    }
  }
  return null
}

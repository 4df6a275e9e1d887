/* Where the hook of a song probably is (playback-62). */

const CHORUS_SHARE = 0.3
/** Seconds; for a song of unknown length. */
const DEFAULT_START = 40

/** In whole seconds, as the video player wants it. `duration` in seconds. */
export function chorusStart(duration: number | null): number {
  return duration ? Math.floor(duration * CHORUS_SHARE) : DEFAULT_START
}

/**
 * The start in a video whose length the player tells. A start in its second half was chosen for another length: the
 * video is short, or the catalogue has a longer version.
 */
export function fitStart(start: number, duration: number): number {
  return start <= duration / 2 ? start : chorusStart(duration)
}

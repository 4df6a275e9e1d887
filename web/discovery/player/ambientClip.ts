/** Number of clips, and their maximum volume (playback-8). */
const MAX_VOLUME = 0.15
const FADE_IN_TIME = 1200
const FADE_OUT_TIME = 600
const FADE_STEP = 50

const clips = [
  new URL('./ambient/bells.mp3', import.meta.url),
  new URL('./ambient/dawn.mp3', import.meta.url),
  new URL('./ambient/drift.mp3', import.meta.url),
  new URL('./ambient/dust.mp3', import.meta.url),
  new URL('./ambient/tide.mp3', import.meta.url),
]

/**
 * Plays one of the five clips once. Fades in, and out at its end or when the returned function is called
 * (playback-8). Silent where the browser requires a gesture or does not let pages set the volume.
 */
export function playAmbientClip(): () => void {
  const clip = clips[Math.floor(Math.random() * clips.length)]
  const audio = new Audio(clip?.href)
  const startedAt = Date.now()
  let endingAt: number | null = null

  audio.volume = 0
  if (audio.volume !== 0) return () => {}
  const timer = setInterval(() => {
    const remaining = (audio.duration - audio.currentTime) * 1000
    if (endingAt === null && remaining < FADE_OUT_TIME) endingAt = Date.now()
    audio.volume = ambientVolume(Date.now() - startedAt, endingAt === null ? null : Date.now() - endingAt)
    if (endingAt !== null && audio.volume === 0) {
      clearInterval(timer)
      audio.pause()
    }
  }, FADE_STEP)
  audio.play().catch(() => clearInterval(timer))

  return () => {
    endingAt ??= Date.now()
  }
}

/** The volume, 0 to 0.15, by milliseconds since the start and since the end began (null before that). */
export function ambientVolume(sinceStart: number, sinceEnd: number | null): number {
  const fadeIn = Math.min(1, sinceStart / FADE_IN_TIME)
  const fadeOut = sinceEnd === null ? 1 : Math.max(0, 1 - sinceEnd / FADE_OUT_TIME)
  return MAX_VOLUME * Math.min(fadeIn, fadeOut)
}

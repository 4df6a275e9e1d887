import type { PlaybackEngine } from './playbackEngine.ts'
import { shouldPlay } from './playbackState.ts'

/** Milliseconds without progress; a video may have an advertisement first. */
const STALL_TIMEOUTS = { audio: 15_000, preview: 15_000, video: 45_000 }
const CHECK_INTERVAL = 5000

/**
 * Calls `onStall` when a playing song does not advance, such as without a connection (playback-43), and `onAdvance`
 * while it does.
 */
export function watchStalls(
  playback: PlaybackEngine,
  { onStall, onAdvance }: { onStall: () => void; onAdvance: () => void },
): { follow(isActive: boolean): void; close(): void } {
  let timer: ReturnType<typeof setInterval> | undefined
  let last = { token: -1, position: -1 }
  /** Counted instead of elapsed time, which would include the machine's sleep. */
  let stalledChecks = 0

  function checkProgress() {
    const { token, source } = playback.getState()
    const position = playback.position()
    const isSame = token === last.token
    stalledChecks = isSame && position === last.position ? stalledChecks + 1 : 0
    last = { token, position }
    if (isSame && stalledChecks === 0) onAdvance()
    if (!source || stalledChecks * CHECK_INTERVAL < STALL_TIMEOUTS[source.kind]) return
    stalledChecks = 0
    onStall()
  }

  function close() {
    clearInterval(timer)
    timer = undefined
  }

  return {
    follow(isActive) {
      if (!isActive || !shouldPlay(playback.getState())) return close()
      if (timer) return
      stalledChecks = 0
      timer = setInterval(checkProgress, CHECK_INTERVAL)
    },
    close,
  }
}

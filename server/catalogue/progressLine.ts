export interface ProgressLine {
  /** `share` is 0 to 1; null when the total is unknown. */
  show(share: number | null, text: string): void
  end(): void
}

/** Milliseconds between updates. A terminal line is overwritten, a log line is not. */
const UPDATE_INTERVAL = { terminal: 200, log: 5000 }

/** Writes to standard error, so that standard output can be a file. */
export function startProgressLine(out: NodeJS.WriteStream = process.stderr): ProgressLine {
  const started = Date.now()
  let lastShown = out.isTTY ? 0 : started
  return {
    show(share, text) {
      const now = Date.now()
      if (now - lastShown < (out.isTTY ? UPDATE_INTERVAL.terminal : UPDATE_INTERVAL.log)) return
      lastShown = now
      const line = [
        share === null ? null : `${Math.floor(share * 100)} %`,
        text,
        estimateRemaining(share, now - started),
      ]
        .filter(Boolean)
        .join(', ')
      out.write(out.isTTY ? `\r\x1b[K${line.slice(0, (out.columns || 80) - 1)}` : `${line}\n`)
    },
    end() {
      if (out.isTTY) out.write('\r\x1b[K')
    },
  }
}

/** Null until an estimate is possible. */
function estimateRemaining(share: number | null, elapsed: number): string | null {
  if (share === null || share < 0.01 || elapsed < 1000) return null
  return `${formatElapsed((elapsed * (1 - share)) / share)} left`
}

/** `4 s`, `3 min 20 s`, `1 h 5 min`. */
export function formatElapsed(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

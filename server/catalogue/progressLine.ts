/** A line on the terminal that tells how far a long piece of work is. */
export interface ProgressLine {
  /** `share` from 0 to 1; null where nobody knows the whole. */
  show(share: number | null, text: string): void
  end(): void
}

/** Milliseconds between two lines: in a terminal one is written over the other. */
const PACE = { terminal: 200, elsewhere: 5000 }

/** On the standard error, so that the standard output can be a file. */
export function startProgressLine(out: NodeJS.WriteStream = process.stderr): ProgressLine {
  const started = Date.now()
  let shown = out.isTTY ? 0 : started
  return {
    show(share, text) {
      const now = Date.now()
      if (now - shown < (out.isTTY ? PACE.terminal : PACE.elsewhere)) return
      shown = now
      const line = [
        share === null ? null : `${Math.floor(share * 100)} %`,
        text,
        remaining(share, now - started),
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

/** Only once there is something to go by. */
function remaining(share: number | null, elapsed: number): string | null {
  if (share === null || share < 0.01 || elapsed < 1000) return null
  return `${duration((elapsed * (1 - share)) / share)} left`
}

/** `4 s`, `3 min 20 s`, `1 h 5 min`. */
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

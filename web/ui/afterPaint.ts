/** Milliseconds after which `afterPaint` does not wait any longer: a hidden page paints nothing. */
const MAX_WAIT = 250

/** Calls `act` once the browser has painted what is rendered now. Returns a function that cancels the call. */
export function afterPaint(callback: () => void): () => void {
  let painted: ReturnType<typeof setTimeout> | undefined
  const finish = () => {
    cancel()
    callback()
  }
  const frame = requestAnimationFrame(() => {
    painted = setTimeout(finish)
  })
  const overdue = setTimeout(finish, MAX_WAIT)
  function cancel() {
    cancelAnimationFrame(frame)
    clearTimeout(painted)
    clearTimeout(overdue)
  }
  return cancel
}

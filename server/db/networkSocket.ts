import { Socket } from 'node:net'

const CHECK_INTERVAL = 500

/**
 * A socket for a database on another machine. It closes when something was sent and nothing is received for `silence`
 * milliseconds. A machine that lost power or network sends nothing, and the operating system would wait for a quarter
 * of an hour.
 */
export function networkSocket(responseTimeout: number): Socket {
  const socket = new Socket()
  closeWhenSilent(socket, responseTimeout)
  return socket
}

/** Looks at the counters of bytes, which also work under TLS. */
function closeWhenSilent(socket: Socket, responseTimeout: number): void {
  let read = socket.bytesRead
  let written = socket.bytesWritten
  let waitingSince: number | null = null
  const timer = setInterval(
    () => {
      if (socket.destroyed) return clearInterval(timer)
      if (socket.bytesRead !== read) waitingSince = null
      // Also if both changed: which was last is unknown, and an idle connection is replaced quickly.
      if (socket.bytesWritten !== written) waitingSince ??= Date.now()
      read = socket.bytesRead
      written = socket.bytesWritten
      if (waitingSince === null || Date.now() - waitingSince <= responseTimeout) return
      // In this phase the event loop has just read from sockets: if this process was stopped, the response may have
      // been there all the time. And 'close' follows at once, before a statement can be written to this socket.
      setImmediate(() => {
        if (socket.bytesWritten === written && socket.bytesRead === read) socket.destroy()
      })
    },
    Math.min(CHECK_INTERVAL, responseTimeout / 2),
  )
  timer.unref()
}

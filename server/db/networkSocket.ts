import { Socket } from 'node:net'

const LOOK_EVERY = 500

/**
 * A socket for a database on another machine. It closes when the server was told something and does not say a word for
 * `silence` milliseconds: a machine that lost its power or its network says nothing, and the system would wait a
 * quarter of an hour for it.
 */
export function networkSocket(silence: number): Socket {
  const socket = new Socket()
  closeWhenSilent(socket, silence)
  return socket
}

/** By its counters, for whoever encrypts the connection takes its listeners away. */
function closeWhenSilent(socket: Socket, silence: number): void {
  let read = socket.bytesRead
  let written = socket.bytesWritten
  let waitingSince: number | null = null
  const timer = setInterval(
    () => {
      if (socket.destroyed) return clearInterval(timer)
      if (socket.bytesRead !== read) waitingSince = null
      // Also when both moved: which came last is not known, and an idle connection is soon made anew.
      if (socket.bytesWritten !== written) waitingSince ??= Date.now()
      read = socket.bytesRead
      written = socket.bytesWritten
      if (waitingSince === null || Date.now() - waitingSince <= silence) return
      // Right before the phase that tells of closed sockets, or a statement might still be written to this one; and
      // after that which reads: where this process stood still, the answer may have been there all the while.
      setImmediate(() => {
        if (socket.bytesWritten === written && socket.bytesRead === read) socket.destroy()
      })
    },
    Math.min(LOOK_EVERY, silence / 2),
  )
  timer.unref()
}

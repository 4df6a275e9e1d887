import { connect, type Socket } from 'node:net'

/** What postgres.js hands to whoever makes its sockets: the addresses in turn, and where it is a path, that. */
interface Addresses {
  host: string[]
  port: number[]
  path?: string | false
}

/** Milliseconds without a word from a server that was told something; its statements end after 5 s. */
const SILENCE = 7000

const LOOK_EVERY = 500

/**
 * Makes connections to a database on another machine. One whose server does not answer any more is closed: a
 * machine that lost its power or its network says nothing, and the system would wait a quarter of an hour for it.
 * The addresses of a list are tried in turn.
 */
export function networkSockets(silence = SILENCE): (addresses: Addresses) => Socket {
  let turn = 0
  return ({ host, port, path }) => {
    const at = turn++ % host.length
    // What is written before it is open waits; one that does not open is closed by connect_timeout.
    const socket = path ? connect({ path }) : connect({ host: host[at], port: port[at] ?? 5432 })
    closeWhenSilent(socket, silence)
    return socket
  }
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

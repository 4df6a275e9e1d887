import type { Logger } from 'pino'

/**
 * Companion logs to the console, a head such as `companion: TIME [error] TAG` and a text. Its warnings and errors go to
 * our log, of each the first line: the rest describes requests, with their tokens.
 */
export function logConsole(log: Logger): void {
  console.log = (head: unknown, text: unknown = '') => {
    const [, level, tag] = /\[(\w+)\] *(.*)$/.exec(String(head)) ?? []
    if (level !== 'warn' && level !== 'error') return
    const [line = ''] = String(text).split('\n')
    log[level]({ tag }, line)
  }
}

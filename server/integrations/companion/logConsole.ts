import type { Logger } from 'pino'

/**
 * Companion logs to the console: a head such as `companion: TIME [error] TAG`, then a text. Only the first line of
 * its warnings and errors goes to our log, because the rest describes requests, with their tokens.
 */
export function forwardConsoleToLog(log: Logger): void {
  console.log = (head: unknown, text: unknown = '') => {
    const [, level, tag] = /\[(\w+)\] *(.*)$/.exec(String(head)) ?? []
    if (level !== 'warn' && level !== 'error') return
    const [line = ''] = String(text).split('\n')
    log[level]({ tag }, line)
  }
}

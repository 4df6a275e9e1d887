/** Prints a line for the person at the terminal. The log is for later. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Without control characters, which terminals interpret: for texts that others wrote. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD')
}

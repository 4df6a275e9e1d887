/** Prints a line for the person at the terminal. The log is for later. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

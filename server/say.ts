/** A line for the person who started the program; the log is for those who look later. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

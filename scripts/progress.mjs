/**
 * Shows progress of a long step: a ticking line in a terminal, else a line at start and end.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} step
 * @returns {Promise<T>}
 */
export async function withProgress(title, step) {
  const started = Date.now()
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`
  const terminal = process.stdout.isTTY
  const show = () => process.stdout.write(`\r${title} … ${seconds()} `)
  if (!terminal) console.log(`${title} …`)
  const ticking = terminal ? setInterval(show, 200) : undefined
  try {
    const result = await step()
    process.stdout.write(`${terminal ? '\r' : ''}${title}: done in ${seconds()}\n`)
    return result
  } catch (error) {
    process.stdout.write(`${terminal ? '\r' : ''}${title}: failed after ${seconds()}\n`)
    throw error
  } finally {
    clearInterval(ticking)
  }
}

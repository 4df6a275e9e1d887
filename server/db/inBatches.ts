/** Rows of a batch: none holds row locks for long, or reaches the statement timeout. */
const BATCH_ROWS = 5000

/** Repeats a statement that changes or deletes at most `rows` rows, until a batch is not full or `signal` aborts. */
export async function inBatches(
  signal: AbortSignal | undefined,
  statement: (rows: number) => PromiseLike<{ count: number }>,
  rows = BATCH_ROWS,
): Promise<void> {
  while (!signal?.aborted) {
    const { count } = await statement(rows)
    if (count < rows) return
  }
}

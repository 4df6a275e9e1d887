export interface Action<Data, Variables> {
  mutationFn: (variables: Variables) => Promise<Data>
  onMutate?: (variables: Variables) => void
  /** The action is pending until a promise that one of these returns is settled. */
  onSuccess?: (data: Data, variables: Variables) => unknown
  onError?: (error: Error, variables: Variables) => unknown
  onSettled?: () => unknown
}

/**
 * Sends what a form or button sends, and returns the response, or undefined after a failure. It never throws: an
 * exception in a callback is reported, and neither turns a success into a failure nor leaves the button disabled.
 */
export async function runAction<Data, Variables>(
  { mutationFn, onMutate, onSuccess, onError, onSettled }: Action<Data, Variables>,
  variables: Variables,
): Promise<Data | undefined> {
  let data: Data | undefined
  try {
    onMutate?.(variables)
    data = await mutationFn(variables)
    await safely(() => onSuccess?.(data as Data, variables))
  } catch (error) {
    await safely(() => onError?.(error as Error, variables))
  }
  await safely(() => onSettled?.())
  return data
}

async function safely(callback: () => unknown): Promise<void> {
  try {
    await callback()
  } catch (error) {
    reportError(error)
  }
}

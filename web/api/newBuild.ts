import { config } from './config.ts'

/* A page reloads when its server has a newer build, which every response names (screens-24). */

const STORAGE_KEY = 'bob-builds'

let serverBuild: string | null = null
let pendingMutations = 0

/** Notes which build the server has. In development there is none. */
export function recordServerBuild({ headers }: Response): void {
  serverBuild = headers.get('x-build') ?? serverBuild
}

/** Runs a call that changes something: the page does not reload meanwhile. */
export async function trackMutation<Answer>(mutation: () => Promise<Answer>): Promise<Answer> {
  pendingMutations++
  try {
    return await mutation()
  } finally {
    pendingMutations--
  }
}

/**
 * Reloads the page if the server has another build. Once for each: behind a balancer, servers of two builds may answer
 * in turn.
 */
export function reloadForNewBuild(): void {
  if (!config.build || !serverBuild || serverBuild === config.build || pendingMutations > 0 || isTyping())
    return
  try {
    const builds = sessionStorage.getItem(STORAGE_KEY)?.split(' ') ?? []
    if (builds.includes(serverBuild)) return
    sessionStorage.setItem(STORAGE_KEY, [...builds, serverBuild].join(' '))
  } catch {
    return
  }
  location.reload()
}

/** Whether a text has the focus, or one of a form is not empty. */
function isTyping(): boolean {
  const textFields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')
  return [...textFields].some(
    (textField) => textField === document.activeElement || (textField.form && textField.value !== ''),
  )
}

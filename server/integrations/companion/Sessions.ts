/** Milliseconds to complete sign-in at a provider. */
const MAX_SIGN_IN_TIME = 15 * 60_000

/** Companion's sessions at providers, by listener, in memory. */
export class CompanionSessions {
  readonly #sessions = new Map<string, { session: object; until: number }>()

  get(listener: string): object {
    const now = Date.now()
    for (const [name, { until }] of this.#sessions) if (until < now) this.#sessions.delete(name)
    const { session } = this.#sessions.get(listener) ?? { session: {} }
    this.#sessions.set(listener, { session, until: now + MAX_SIGN_IN_TIME })
    return session
  }
}

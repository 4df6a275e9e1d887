interface Named {
  id: string
  firstName: string | null
  lastName: string | null
}

/** What operators call an account: the listener's name, or its number without one. Never the e-mail (accounts-3). */
export function accountName({ id, firstName, lastName }: Named): string {
  return [firstName?.trim(), lastName?.trim()].filter(Boolean).join(' ') || `Account ${id}`
}

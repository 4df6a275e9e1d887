interface Named {
  firstName: string | null
  lastName: string | null
}

/** First and last name joined; '' when both are empty. */
export function fullName({ firstName, lastName }: Named): string {
  return [firstName, lastName]
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(' ')
}

/** The name that others see (spec §3). */
export function displayName(user: Named): string {
  return fullName(user) || 'Music Explorer'
}

/** The name on the listener's own profile page: there the e-mail stands in (D-66). */
export function ownDisplayName(user: Named & { email: string | null }): string {
  return fullName(user) || user.email || 'Music Explorer'
}

/** The uppercase first letter of first name or e-mail, for who has no picture (PROFILE-04). */
export function initialOf(user: Named & { email: string | null }): string {
  const [first] = user.firstName?.trim() || user.lastName?.trim() || user.email || 'M'
  return (first ?? 'M').toLocaleUpperCase()
}

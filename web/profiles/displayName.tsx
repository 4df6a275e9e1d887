interface NameFields {
  firstName: string | null
  lastName: string | null
}

/** First and last name joined; '' when both are empty. */
export function fullName({ firstName, lastName }: NameFields): string {
  return [firstName, lastName]
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(' ')
}

/** The name that others see (people-4). */
export function displayName(user: NameFields): string {
  return fullName(user) || 'Music Explorer'
}

/** The name on the own profile page, with the e-mail as fallback (people-4). */
export function ownDisplayName(user: NameFields & { email: string | null }): string {
  return fullName(user) || user.email || 'Music Explorer'
}

/** The first letter of first name or e-mail in upper case, for an avatar without picture (people-12). */
export function initialOf(user: NameFields & { email: string | null }): string {
  const [first] = user.firstName?.trim() || user.lastName?.trim() || user.email || 'M'
  return (first ?? 'M').toLocaleUpperCase()
}

/** A name or an e-mail address, which may break before its '@'. */
export function EmailText({ children }: { children: string }) {
  const at = children.lastIndexOf('@')
  if (at <= 0) return children
  return (
    <>
      {children.slice(0, at)}
      <wbr />
      {children.slice(at)}
    </>
  )
}

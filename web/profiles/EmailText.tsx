/** A text that may be an e-mail address, which then breaks before its '@' if it must. */
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

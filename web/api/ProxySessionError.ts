/** A proxy in front of the server has answered in its place, because its own session has ended (calls-13). */
export class ProxySessionError extends Error {
  constructor() {
    super('The session of the proxy in front of this site has ended')
    this.name = 'ProxySessionError'
  }
}

/** Whether this is a redirect to a sign-in page, or such a page: the API answers JSON, and redirects nobody. */
export function isSignInPage({ type, status, headers }: Response): boolean {
  if (type === 'opaqueredirect') return true
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  return isPage && (status < 300 || status === 401 || status === 403)
}

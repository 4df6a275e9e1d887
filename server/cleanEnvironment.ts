/**
 * The variables as they were meant: without what tools leave around names and values (byte order marks, carriage
 * returns of Windows, quotes, which `docker --env-file` keeps), empty ones, and those that other programs set under
 * names of ours.
 */
export function cleanEnvironment(source: Record<string, string | undefined>): Record<string, string> {
  const trimmed = Object.fromEntries(
    Object.entries(source).map(([name, value]) => [name.trim(), withoutQuotes(value?.trim() ?? '')]),
  )
  return Object.fromEntries(
    Object.entries(trimmed).filter(
      ([name, value]) =>
        value !== '' &&
        // Kubernetes and Docker's links, for a service that is named `companion` or `database`.
        !(name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value)) &&
        // The platform that conda's compilers make programs for.
        !(name === 'HOST' && value === trimmed.CONDA_TOOLCHAIN_HOST),
    ),
  )
}

/** Not those of a value that has quotes inside, too, such as `"Ada" or "Grace"`. */
const withoutQuotes = (value: string) => value.replace(/^(["'])((?:(?!\1).)*)\1$/s, '$2')

import type { WholeAudio } from '../../contract/shapes.ts'

/** Under which licence, by whom and from where a recording is (playback-29). */
export function AudioCredit({ audio: { url, licence, attribution } }: { audio: WholeAudio }) {
  const { host, pathname } = new URL(url)
  const item = host === 'archive.org' && /^\/download\/([^/]+)\//.exec(pathname)?.[1]
  return (
    <>
      <OutsideLink href={licence}>{licenceName(licence)}</OutsideLink>,{' '}
      <span title={attribution}>
        by <bdi>{attribution}</bdi>,
      </span>{' '}
      from{' '}
      {item ? (
        <OutsideLink href={`https://archive.org/details/${item}`}>the Internet Archive</OutsideLink>
      ) : (
        <OutsideLink href={url}>{host}</OutsideLink>
      )}
    </>
  )
}

const OutsideLink = ({ href, children }: { href: string; children: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer" className="underline hover:text-ink">
    {children}
  </a>
)

/** Such as 'CC BY-NC-SA'. */
function licenceName(address: string): string {
  const [, , , kind, name = ''] = address.split('/')
  if (name === 'mark') return 'Public domain'
  return kind === 'licenses' ? `CC ${name.toUpperCase()}` : 'CC0'
}

import { isolateName } from '../../contract/isolateName.ts'
import type { WholeAudio } from '../../contract/shapes.ts'

interface AudioCreditProps {
  audio: WholeAudio
  /** Whether the song is covered, and this must not name it. */
  isCovered?: boolean
}

/** Under which licence, by whom and from where a recording is (playback-29). */
export function AudioCredit({ audio, isCovered = false }: AudioCreditProps) {
  const { url, licence, attribution } = audio
  const { host, item } = readSource(url)
  if (isCovered) return <span>{`${licenceName(licence)}${item ? ', from the Internet Archive' : ''}`}</span>
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

/** The same as words. */
export function creditText({ url, licence, attribution }: WholeAudio): string {
  const { host, item } = readSource(url)
  return `${licenceName(licence)}, by ${isolateName(attribution)}, from ${item ? 'the Internet Archive' : host}`
}

function readSource(url: string) {
  const { host, pathname } = new URL(url)
  return { host, item: host === 'archive.org' && /^\/download\/([^/]+)\//.exec(pathname)?.[1] }
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

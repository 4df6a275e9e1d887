import type { ReactNode } from 'react'
import type { SharedEntry, SharedPage } from '../../contract/sharedPage.ts'
import { microgenrePath } from '../../contract/visitors.ts'
import { AchievementMedal } from '../achievements/AchievementMedal.tsx'
import { config } from '../api/config.ts'
import { withBasePath } from '../api/paths.ts'
import { AudioCredit } from '../playback/AudioCredit.tsx'
import { AlbumArt } from '../ui/art/AlbumArt.tsx'
import { Avatar } from '../ui/art/Avatar.tsx'
import { ButtonTo } from '../ui/controls/Button.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { useAccentColor } from '../ui/useAccentColor.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { PlayButton, VisitorPlayer } from '../visitors/PlayButton.tsx'

/** The content of a shared page, between header and footer. */
export function SharedContent({ page, children }: { page: SharedPage; children: ReactNode }) {
  const { kind, badge, title, type, text, medal, genre, creator, entries, details = [] } = page
  const color = genre?.color ?? entries[0]?.color ?? null
  usePageTitle(title)
  useAccentColor(color)
  return (
    <>
      <PictureAndText picture={medal ? <Medal type={medal} /> : <CoverMosaic entries={entries} />}>
        <Tag>{badge}</Tag>
        <SharedTitle>{title}</SharedTitle>
        {type && <p className="text-base text-ink-2 wrap-anywhere">{type}</p>}
        {text && (
          <p
            dir="auto"
            className="max-w-[46ch] text-base text-pretty wrap-anywhere whitespace-pre-line text-ink-2"
          >
            {text}
          </p>
        )}
        {genre && <Genre {...genre} />}
        <Creator {...creator}>
          {page.event} <time dateTime={page.createdAt}>{formatDate(page.createdAt)}</time>
          {page.counts.map((each) => ` · ${each}`)}
        </Creator>
      </PictureAndText>
      {kind === 'collection' && (
        <ul aria-label="Microgenres" className="border-b border-line">
          {entries.map((entry) => (
            <Entry key={entry.id} {...entry} />
          ))}
        </ul>
      )}
      {children}
      <Details details={details} />
      <div className={`py-8 pb-16 ${kind === 'achievement' ? 'border-t border-line' : ''}`}>
        <ButtonTo
          to="/"
          variant={kind === 'collection' || genre ? 'accent' : children ? 'outline' : 'main'}
          size="big"
        >
          {page.action}
        </ButtonTo>
      </div>
      <VisitorPlayer />
    </>
  )
}

const Medal = ({ type }: { type: string }) => (
  <AchievementMedal type={type} className="size-50 wide:aspect-square wide:size-auto" />
)

/** Four covers: fewer than four microgenres are repeated. */
function CoverMosaic({ entries }: { entries: SharedEntry[] }) {
  if (entries.length === 0)
    return <div aria-hidden="true" className="aspect-square w-50 rounded-art bg-raised wide:w-full" />
  const tiles = [0, 1, 2, 3].flatMap((index) => entries[index % entries.length] ?? [])
  return (
    <div aria-hidden="true" className="grid w-50 grid-cols-2 gap-1 shadow-high wide:w-full">
      {tiles.map(({ id, name, color, art = null }, index) => (
        <div key={`${id} ${index < entries.length ? '' : index}`} className="aspect-square">
          <AlbumArt
            title={index < entries.length ? name : `${name} ${index}`}
            art={art}
            color={color}
            loading="eager"
          />
        </div>
      ))}
    </div>
  )
}

function Genre({ name, color }: { name: string; color: string }) {
  return (
    <p
      data-genre=""
      style={{ '--genre': color }}
      className="flex items-center gap-2 font-display text-lg font-semibold text-accent"
    >
      <span
        aria-hidden="true"
        data-testid="genre-dot"
        className="size-3 rounded-full"
        style={{ backgroundColor: color }}
      />
      <bdi>{name}</bdi>
    </p>
  )
}

function Entry({
  microgenreKey,
  addedAt,
  name,
  color,
  description,
  recordings = [],
  songs = [],
}: SharedEntry) {
  return (
    <li
      data-genre=""
      style={{ '--genre': color }}
      className="grid grid-cols-[1rem_minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-1 border-t border-line py-5 wide:grid-cols-[1.25rem_14rem_minmax(0,1fr)_auto] wide:gap-x-4"
    >
      <span
        aria-hidden="true"
        className="mt-2 size-3 self-start rounded-full"
        style={{ backgroundColor: color }}
        data-testid="genre-dot"
      />
      <h2 dir="auto" className="text-accent wrap-anywhere max-wide:col-[2/-1]">
        {config.visitors && microgenreKey ? (
          <a href={withBasePath(microgenrePath(microgenreKey))} className="underline underline-offset-3">
            {name}
          </a>
        ) : (
          name
        )}
      </h2>
      <p className="text-ink-2 max-wide:col-[2/-1]">{description}</p>
      <time dateTime={addedAt} className="text-xs text-ink-3 tabular-nums max-wide:col-[2/-1]">
        Added {formatDate(addedAt)}
      </time>
      {songs.length > 0 && (
        <div className="col-[2/-1] wide:col-3">
          <PlayButton name={name} songs={songs} />
        </div>
      )}
      {recordings.map(({ title, audio }) => (
        <p key={audio.url} className="text-xs text-ink-2 wrap-anywhere col-[2/-1] wide:col-3">
          ‘<bdi>{title}</bdi>’: <AudioCredit audio={audio} />
        </p>
      ))}
    </li>
  )
}

/** All metadata that the server sends, as text (sharing-16). */
function Details({ details = [] }: Pick<SharedPage, 'details'>) {
  if (details.length === 0) return null
  return (
    <dl className="grid">
      {details.map(([key, value]) => (
        <div key={key} className="flex flex-wrap justify-between gap-x-6 border-t border-line py-3">
          <dt className="text-ink-2 wrap-anywhere">{key}</dt>
          <dd dir="auto" className="font-semibold wrap-anywhere">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Picture on the left, text on the right; stacked on a phone. */
export function PictureAndText({ picture, children }: { picture: ReactNode; children: ReactNode }) {
  return (
    <div className="grid items-end gap-6 py-4 wide:grid-cols-[minmax(12rem,22rem)_minmax(0,1fr)] wide:gap-12 wide:py-10 low:grid-cols-[12rem_minmax(0,1fr)] low:items-start low:gap-6 low:py-2">
      {picture}
      <div className="grid min-w-0 justify-items-start gap-4">{children}</div>
    </div>
  )
}

export function Tag({ children }: { children: string }) {
  return (
    <span className="rounded-[4px] border border-accent-line px-2 py-0.5 text-2xs font-semibold text-accent">
      {children}
    </span>
  )
}

/** The name, in a size that fits its length. */
export function SharedTitle({ children }: { children: string }) {
  const size =
    children.length <= 24
      ? 'text-[clamp(2rem,6vw,5rem)]/[1.02]'
      : children.length <= 60
        ? 'text-[clamp(1.75rem,4vw,3.25rem)]/[1.08]'
        : 'text-[clamp(1.5rem,2.6vw,2.25rem)]/[1.12]'
  return (
    <h1 dir="auto" className={`w-full font-extrabold font-stretch-128% wrap-anywhere ${size}`}>
      {children}
    </h1>
  )
}

function Creator({ name, photo, children }: SharedPage['creator'] & { children: ReactNode }) {
  const [initial = 'M'] = name
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar image={photo} letter={initial.toLocaleUpperCase()} />
      <div className="grid min-w-0">
        <b dir="auto" className="line-clamp-2 font-semibold wrap-anywhere">
          {name}
        </b>
        <p className="text-xs text-ink-2 tabular-nums">{children}</p>
      </div>
    </div>
  )
}

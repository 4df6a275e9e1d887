import { getSharedCollection, NOT_SHARED, type SharedCollection } from '../../contract/sharing.ts'
import { call } from '../api/call.ts'
import { ButtonTo } from '../ui/ButtonTo.tsx'
import { Cover } from '../ui/Cover.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { useRoomColor } from '../ui/RoomColor.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { NotFoundNotice } from './NotFoundNotice.tsx'
import { Creator, SharedFrame, SharedTitle, Sleeve, Tag } from './SharedFrame.tsx'
import { useShared } from './useShared.ts'

/** A shared collection; public. */
export function SharedCollectionPage({ shareToken }: { shareToken: string | undefined }) {
  const shared = useShared(read, shareToken)
  return (
    <SharedFrame
      shared={shared}
      loading="Loading collection..."
      missing={<NotFoundNotice {...NOT_SHARED.collection} />}
    >
      {(collection) => <Collection {...collection} />}
    </SharedFrame>
  )
}

const read = (shareToken: string, signal: AbortSignal) =>
  call(getSharedCollection, { params: { shareToken } }, { signal })

function Collection({ name, description, createdAt, viewCount, user, items }: SharedCollection) {
  usePageTitle(name)
  useRoomColor(items[0]?.microgenre.color ?? null)
  return (
    <>
      <Sleeve drawing={<Mosaic items={items} />}>
        <Tag>Shared Collection</Tag>
        <SharedTitle>{name}</SharedTitle>
        {description && (
          <p dir="auto" className="max-w-[46ch] text-base wrap-anywhere whitespace-pre-line text-ink-2">
            {description}
          </p>
        )}
        <Creator user={user}>
          Created <time dateTime={createdAt}>{formatDate(createdAt)}</time> · {count(viewCount, 'view')} ·{' '}
          {count(items.length, 'microgenre')}
        </Creator>
      </Sleeve>
      <ul aria-label="Microgenres" className="border-b border-line">
        {items.map((item) => (
          <Entry key={item.id} {...item} />
        ))}
      </ul>
      <div className="py-8 pb-16">
        <ButtonTo to="/" variant="accent" size="big">
          Start Discovering
        </ButtonTo>
      </div>
    </>
  )
}

type Item = SharedCollection['items'][number]

/** Four covers, repeating the microgenres; nothing without any. */
function Mosaic({ items }: { items: Item[] }) {
  if (items.length === 0)
    return <div aria-hidden="true" className="aspect-square w-50 rounded-art bg-raised wide:w-full" />
  const places = [0, 1, 2, 3].flatMap((place) => items[place % items.length] ?? [])
  return (
    <div aria-hidden="true" className="grid w-50 grid-cols-2 gap-1 shadow-high wide:w-full">
      {places.map(({ id, microgenre: { name, color } }, place) => (
        <div key={`${id} ${place < items.length ? '' : place}`} className="aspect-square">
          <Cover title={place < items.length ? name : `${name} ${place}`} color={color} />
        </div>
      ))}
    </div>
  )
}

function Entry({ addedAt, microgenre: { name, color, description } }: Item) {
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
      <h2 dir="auto" className="text-accent wrap-anywhere">
        {name}
      </h2>
      <p className="text-ink-2 max-wide:col-[2/-1] max-wide:row-start-2">{description}</p>
      <time
        dateTime={addedAt}
        className="text-xs text-ink-3 tabular-nums max-wide:col-start-3 max-wide:row-start-1"
      >
        Added {formatDate(addedAt)}
      </time>
    </li>
  )
}

const count = (n: number, thing: string) => `${n.toLocaleString()} ${thing}${n === 1 ? '' : 's'}`

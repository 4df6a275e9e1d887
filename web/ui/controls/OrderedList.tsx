import { type MouseEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Cover } from '../art/Cover.tsx'
import { type Icon, X } from '../icons.tsx'
import { ArrowDown, ArrowUp } from '../laterIcons.ts'
import { IconButton } from './Button.tsx'

interface Item {
  id: string
  name: string
  /** `#rrggbb` */
  color: string
}

interface OrderedListProps<T extends Item> {
  legend: string
  items: readonly T[]
  onChange: (items: T[]) => void
  /** In place of a drawn cover. */
  art?: (item: T) => ReactNode
  /** Below the list; `announce` is for screen readers. */
  children?: (announce: (text: string) => void) => ReactNode
}

/** A list to move and remove things in. */
export function OrderedList<T extends Item>({ legend, items, onChange, art, children }: OrderedListProps<T>) {
  const title = useRef<HTMLLegendElement>(null)
  /** The last change, for screen readers. */
  const [announcement, setAnnouncement] = useState('')

  function move(from: number, to: number, { currentTarget }: MouseEvent<HTMLElement>) {
    const { [from]: movedItem, [to]: other } = items
    if (!movedItem || !other) return
    flushSync(() => onChange(items.map((item, i) => (i === from ? other : i === to ? movedItem : item))))
    // A row that the browser moves loses the focus.
    currentTarget.focus()
    setAnnouncement(`${movedItem.name} is now ${to + 1} of ${items.length}.`)
  }

  function remove(removedItem: T, event: MouseEvent<HTMLElement>) {
    // The focused button is about to disappear.
    const row = event.currentTarget.closest('li')
    const neighbor = row?.nextElementSibling ?? row?.previousElementSibling
    const next = neighbor?.querySelector<HTMLElement>('button:last-of-type') ?? title.current
    next?.focus()
    onChange(items.filter(({ id }) => id !== removedItem.id))
    setAnnouncement(`${removedItem.name} removed.`)
  }

  return (
    <fieldset className="min-w-0">
      <legend ref={title} tabIndex={-1} className="mb-1.5 font-semibold outline-none">
        {legend}
      </legend>
      <ol className="border-t border-line">
        {items.map((item, i) => (
          <li key={item.id} className="flex items-center gap-2 border-b border-line py-1.5">
            <span className="block size-10 flex-none">
              {art?.(item) ?? <Cover title={item.name} color={item.color} />}
            </span>
            <span dir="auto" className="min-w-0 flex-1 text-left font-semibold wrap-anywhere">
              {item.name}
            </span>
            <RowButton
              icon={ArrowUp}
              name={`Move ${item.name} up`}
              disabled={i === 0}
              onClick={(event) => move(i, i - 1, event)}
            />
            <RowButton
              icon={ArrowDown}
              name={`Move ${item.name} down`}
              disabled={i === items.length - 1}
              onClick={(event) => move(i, i + 1, event)}
            />
            <RowButton icon={X} name={`Remove ${item.name}`} onClick={(event) => remove(item, event)} />
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {children?.(setAnnouncement)}
    </fieldset>
  )
}

interface RowButtonProps {
  icon: Icon
  name: string
  disabled?: boolean
  onClick: (event: MouseEvent<HTMLElement>) => void
}

function RowButton({ icon: Icon, name, disabled = false, onClick }: RowButtonProps) {
  return (
    <IconButton
      label={name}
      aria-disabled={disabled || undefined}
      onClick={(event) => !disabled && onClick(event)}
    >
      <Icon />
    </IconButton>
  )
}

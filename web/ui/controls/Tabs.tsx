import * as Radix from '@radix-ui/react-tabs'
import type { ReactNode } from 'react'
import { isFocusByPointer } from '../keyboard/focusOrigin.ts'

/** Tabs; on a phone the row scrolls sideways. */
export const Tabs = Radix.Root

export const TabPanel = Radix.Content

export function TabList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="mb-5 border-b border-line">
      <Radix.List
        aria-label={label}
        // Radix takes a Tab for a press after a press on the tab that has the focus.
        onFocus={({ target, currentTarget }) => {
          if (target === currentTarget && !isFocusByPointer())
            currentTarget.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
        }}
        className="-mx-1 flex gap-2 overflow-x-auto [scrollbar-width:none] wide:gap-4"
      >
        {children}
      </Radix.List>
    </div>
  )
}

export function Tab({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Radix.Trigger
      value={value}
      className="flex min-h-(--size-touch) items-center border-b-2 border-transparent px-1 font-semibold whitespace-nowrap text-ink-2 hover:text-ink focus-visible:-outline-offset-2 aria-selected:border-ink aria-selected:text-ink"
    >
      {children}
    </Radix.Trigger>
  )
}

import type { ReactNode } from 'react'

/** The place of the mini-player. It hides what scrolls past below it. */
export const PlayerBar = ({ children }: { children: ReactNode }) => (
  <div
    data-bar=""
    className="wide:not-empty:before:fixed wide:not-empty:before:right-[max(0px,var(--bar-end)-1.5rem)] wide:not-empty:before:bottom-0 wide:not-empty:before:left-0 wide:not-empty:before:z-1 wide:not-empty:before:h-[calc(1.5rem+var(--size-bar)/2)] wide:not-empty:before:bg-paper"
  >
    {children}
  </div>
)

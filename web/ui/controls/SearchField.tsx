import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { Search } from '../laterIcons.ts'

interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  label: string
  /** Beside the field. */
  children?: ReactNode
  onChange: (value: string) => void
}

/** Without a class of its own it stays visible while its dialog scrolls. */
export function SearchField({
  label,
  onChange,
  className = stickyInDialog,
  children,
  ...control
}: SearchFieldProps) {
  return (
    <div className={`flex gap-2 ${className}`}>
      <label className="relative block min-w-0 flex-1">
        <span className="sr-only">{label}</span>
        <Search className="pointer-events-none absolute top-1/2 left-3.5 size-5 -translate-y-1/2 text-ink-3" />
        <input
          {...control}
          type="search"
          data-first-field=""
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
          className="field pl-11"
        />
      </label>
      {children}
    </div>
  )
}

/** Milliseconds after the last key. */
const DEBOUNCE_DELAY = 300

/** What was typed once typing pauses, to ask the server for. */
export function useDebouncedValue(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_DELAY)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}

const stickyInDialog = 'sticky -top-1 z-1 -mx-1 bg-surface px-1 pt-1 pb-2 tiny:static'

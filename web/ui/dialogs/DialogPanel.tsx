import * as Radix from '@radix-ui/react-dialog'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { buttonClasses } from '../controls/Button.tsx'
import { X } from '../icons.tsx'
import { isDialogOpen, registerDialog } from '../keyboard/openDialogs.ts'
import { hasKeyboard } from '../useMediaQuery.ts'

/** Whether a dialog is open. */
export interface OpenState {
  open: boolean
  onOpenChange: (open: boolean) => void
}

export interface DialogProps extends OpenState {
  title: string
  /** A sentence below the title, also read by screen readers. */
  description?: ReactNode
  children: ReactNode
  /** The maximum width on a desktop, as a CSS length. */
  width?: string
  /** Full height on a phone, whatever the content. */
  tall?: boolean
  /** Which page of its content it shows. Each begins at its top. */
  page?: number
  /** Called first on Escape; returning true keeps the dialog open. */
  onEscape?: () => boolean
}

/** The dialog itself, a separate chunk: see `Dialog`. */
export function DialogPanel({
  open,
  onOpenChange,
  onClosed,
  title,
  description,
  children,
  width,
  tall,
  page,
  onEscape,
}: DialogProps & { onClosed: () => void }) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        {/* Not Radix' overlay, which inserts a style sheet: the browser would restyle the whole page at the press. */}
        <Scrim />
        <Radix.Content
          ref={registerDialog}
          className={`dialog ${panelStyle} ${tall ? tallStyle : ''}`}
          style={{ '--w': width ?? '34rem' }}
          onOpenAutoFocus={(event) => {
            if (focusFirstField(event.target as HTMLElement)) event.preventDefault()
          }}
          onKeyDown={({ key, currentTarget }) => key === 'Tab' && skipUncheckedRadios(currentTarget)}
          onEscapeKeyDown={(event) => {
            if (onEscape?.()) event.preventDefault()
          }}
          // A press on a toast must not close the dialog.
          onInteractOutside={(event) => {
            if (event.target instanceof Element && event.target.closest('[data-toast]'))
              event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            onClosed()
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <header className="flex items-center justify-between gap-4 pt-4 pr-2 pb-1 pl-5 wide:pt-5 wide:pr-4 wide:pb-2 wide:pl-7">
            <Radix.Title className="wide:text-xl">{title}</Radix.Title>
            <Radix.Close className={buttonClasses({ variant: 'bare', size: 'square' })} aria-label="Close">
              <X />
            </Radix.Close>
          </header>
          <ScrollArea
            page={page}
            className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 px-5 pt-1 pb-5 wide:gap-5 wide:px-7 wide:pt-2 wide:pb-7"
          >
            {description && (
              <Radix.Description asChild>
                <p className="text-ink-2">{description}</p>
              </Radix.Description>
            )}
            {children}
          </ScrollArea>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Beside the video, a sheet above it on a phone; on a tablet below the toasts, which are at the top there. */
const panelStyle = [
  'fixed z-(--z-dialog) flex flex-col overflow-hidden border-line bg-surface text-ink shadow-high',
  'max-wide:right-(--beside) max-wide:bottom-(--below) max-wide:left-0 max-wide:rounded-t-sheet max-wide:border-t',
  'max-wide:max-h-[calc(100svh-var(--size-header-phone)-1rem-var(--below))]',
  'max-wide:pb-[env(safe-area-inset-bottom)] wide:-translate-1/2 wide:rounded-sheet wide:border',
  'wide:top-[calc((100svh-var(--below))/2)] wide:left-[calc((100vw-var(--beside))/2)]',
  'wide:max-h-[calc(100svh-var(--below)-3rem)] wide:w-[min(var(--w),100vw-var(--beside)-3rem)]',
  'tablet:max-h-[calc(100svh-var(--below)-2*var(--size-header))]',
  'wide:low:top-[calc(50svh+0.875rem)] wide:low:max-h-[calc(100svh-3.75rem)]',
  // One dialog at a time: no buttons of another one beside or below it.
  'has-[~_.dialog]:invisible',
].join(' ')

/** As high as the screen of a phone allows, whatever the content. */
const tallStyle = 'max-wide:top-[calc(var(--size-header-phone)+1rem)]'

/** Dims the page. Where the page has a scrollbar that takes room, the room stays while a dialog hides the scrollbar. */
function Scrim() {
  // Asked before the dialog is on the page, where the answer costs no layout.
  const [hidesScrollbar] = useState(
    () => !isDialogOpen() && innerWidth > document.documentElement.clientWidth,
  )
  return (
    <div
      ref={hidesScrollbar ? reserveScrollbar : undefined}
      // Beside a phone's video, nothing of the page.
      className="fixed inset-0 z-(--z-scrim) bg-scrim phone:after:absolute phone:after:inset-x-0 phone:after:bottom-0 phone:after:h-(--below) phone:after:bg-surface"
    />
  )
}

function reserveScrollbar() {
  const { style } = document.documentElement
  style.scrollbarGutter = 'stable'
  return () => {
    style.scrollbarGutter = ''
  }
}

/** Focuses the field that the dialog is for. Not on touch, where the keyboard would hide half of the dialog. */
function focusFirstField(dialog: HTMLElement): boolean {
  if (!hasKeyboard()) return false
  const field = dialog.querySelector<HTMLElement>('[data-first-field]')
  field?.focus()
  return field !== null
}

/** Radix, which returns from the last control to the first, counts those that Tab skips: of a group one is checked. */
function skipUncheckedRadios(dialog: HTMLElement): void {
  for (const radio of dialog.querySelectorAll<HTMLInputElement>('[type=radio]'))
    radio.tabIndex = radio.checked || !dialog.querySelector(`[name='${radio.name}']:checked`) ? 0 : -1
}

/** Milliseconds that the scrollbar stays after scrolling (screens-10). */
const HIDE_DELAY = 600

interface ScrollAreaProps {
  /** It scrolls to its top when this changes. */
  page: number | undefined
  className: string
  children: ReactNode
}

/** A scroll area inside a dialog. Its scrollbar shows only while scrolling. */
function ScrollArea({ page, className, children }: ScrollAreaProps) {
  const area = useRef<HTMLDivElement>(null)
  const [scrolling, setScrolling] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const previousPage = useRef(page)
  useLayoutEffect(() => {
    // Not when it opens, where it would cost a layout.
    if (previousPage.current !== page) area.current?.scrollTo(0, 0)
    previousPage.current = page
  }, [page])

  function onScroll() {
    setScrolling(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setScrolling(false), HIDE_DELAY)
  }
  return (
    <div
      ref={area}
      data-scrolling={scrolling || undefined}
      onScroll={onScroll}
      className="scroll-area min-h-0 scroll-py-3 overflow-y-auto has-[.sticky]:scroll-pt-17 overscroll-contain [scrollbar-color:transparent_transparent] [scrollbar-width:thin] data-scrolling:[scrollbar-color:var(--line-strong)_transparent]"
    >
      <div className={className}>{children}</div>
    </div>
  )
}

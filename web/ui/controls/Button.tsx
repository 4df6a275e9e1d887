import type { ComponentProps } from 'react'
import { useLocation } from 'wouter'

const variants = {
  /** Ink on paper: the main action of a page without a microgenre. */
  main: 'border-transparent bg-ink text-paper hover:bg-ink-2',
  /** The main action of a page about a microgenre. */
  accent: 'border-transparent bg-accent text-on-accent hover:brightness-110',
  outline: 'border-line-strong text-ink hover:bg-raised',
  bare: 'border-transparent! text-ink hover:bg-raised',
} satisfies Record<string, string>

const sizes = {
  normal: 'min-h-(--size-touch) px-4.5',
  tight: 'min-h-(--size-touch) px-3',
  big: 'min-h-14 px-7 text-base',
  square: 'size-(--size-touch)',
} satisfies Record<string, string>

interface ButtonStyle {
  variant?: keyof typeof variants
  size?: keyof typeof sizes
  className?: string
}

/** The style of a button, for links. */
export function buttonClasses({
  variant = 'outline',
  size = 'normal',
  className = '',
}: ButtonStyle = {}): string {
  return `${baseClasses} ${variants[variant]} ${sizes[size]} ${className}`
}

interface ButtonProps extends ButtonStyle, ComponentProps<'button'> {
  /** What it does is under way. It keeps the focus meanwhile, which a disabled button would lose. */
  pending?: boolean
}

export function Button({ variant, size, className, pending, ...rest }: ButtonProps) {
  const classes = buttonClasses({ variant, size, className })
  return <button type="button" aria-disabled={pending || undefined} className={classes} {...rest} />
}

const baseClasses =
  'inline-flex items-center justify-center gap-2 rounded-control border font-semibold whitespace-nowrap ' +
  'transition-colors duration-(--duration-quick) disabled:border-line disabled:bg-transparent disabled:text-ink-3 ' +
  'aria-disabled:border-line aria-disabled:bg-transparent aria-disabled:text-ink-3'

/** A link to another page that looks like a button. */
export function ButtonTo({ to, ...rest }: { to: string } & ComponentProps<typeof Button>) {
  const [, navigate] = useLocation()
  return <Button onClick={() => navigate(to)} {...rest} />
}

/** A button that shows what it does by an icon alone. */
export function IconButton({ label, ...rest }: { label: string } & ComponentProps<typeof Button>) {
  return <Button variant="bare" size="square" aria-label={label} {...rest} />
}

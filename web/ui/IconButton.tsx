import type { ComponentProps } from 'react'
import { Button } from './Button.tsx'

/** A button that shows what it does by an icon alone. */
export function IconButton({ label, ...rest }: { label: string } & ComponentProps<typeof Button>) {
  return <Button variant="bare" size="square" aria-label={label} {...rest} />
}

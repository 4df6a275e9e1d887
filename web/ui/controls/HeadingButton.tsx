import type { ComponentProps } from 'react'
import type { Icon } from '../icons.tsx'
import { Button } from './Button.tsx'

interface HeadingButtonProps extends ComponentProps<'button'> {
  icon: Icon
}

/** An action beside the heading of a page. */
export function HeadingButton({ icon: Icon, children, ...rest }: HeadingButtonProps) {
  return (
    <Button
      className="flex-none wide:max-roomy:px-2.5! max-wide:min-w-(--size-touch) max-wide:flex-col max-wide:border-transparent! max-wide:px-1! max-wide:text-2xs/3.5 low:min-w-(--size-touch) low:flex-col low:border-transparent! low:px-1! low:text-2xs/3.5"
      {...rest}
    >
      <Icon />
      <span>{children}</span>
    </Button>
  )
}

import type { ComponentProps } from 'react'
import type { Icon } from '../icons.tsx'
import { Button } from './Button.tsx'

interface HeadingButtonProps extends ComponentProps<'button'> {
  icon: Icon
}

/** An action beside the heading of a page, in a container: where that is narrow, the word is below the icon. */
export function HeadingButton({ icon: Icon, children, ...rest }: HeadingButtonProps) {
  return (
    <Button
      className="min-w-(--size-touch) flex-none @max-[46rem]:flex-col @max-[46rem]:border-transparent! @max-[46rem]:px-1! @max-[46rem]:text-2xs/3.5 low:flex-col low:border-transparent! low:px-1! low:text-2xs/3.5"
      {...rest}
    >
      <Icon />
      <span>{children}</span>
    </Button>
  )
}

import type { ComponentProps } from 'react'
import type { Icon } from '../icons.tsx'
import { Button } from './Button.tsx'
import './headingButton.css'

interface HeadingButtonProps extends ComponentProps<'button'> {
  icon: Icon
}

/** An action beside the heading of a page. */
export function HeadingButton({ icon: Icon, children, ...rest }: HeadingButtonProps) {
  return (
    <Button className="heading-button" {...rest}>
      <Icon />
      <span>{children}</span>
    </Button>
  )
}

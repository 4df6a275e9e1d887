import type { ComponentProps } from 'react'
import { Button } from './Button.tsx'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: () => void
}

/** A form that the page itself sends. Browsers send none whose button is disabled. */
export function Form({ onSubmit, className = 'grid grid-cols-[minmax(0,1fr)] gap-4', ...rest }: FormProps) {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
      {...rest}
    />
  )
}

interface SubmitButtonProps extends ComponentProps<typeof Button> {
  /** Shown while it is sent. */
  pendingText?: string
}

/** The button that sends a form. */
export function SubmitButton({ pendingText, children, ...rest }: SubmitButtonProps) {
  return (
    <Button type="submit" variant="main" className="justify-self-start" {...rest}>
      {rest.pending ? (pendingText ?? children) : children}
    </Button>
  )
}

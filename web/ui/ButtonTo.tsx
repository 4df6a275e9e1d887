import type { ComponentProps } from 'react'
import { useLocation } from 'wouter'
import { Button } from './Button.tsx'

/** A link to another page that looks like a button. */
export function ButtonTo({ to, ...rest }: { to: string } & ComponentProps<typeof Button>) {
  const [, navigate] = useLocation()
  return <Button onClick={() => navigate(to)} {...rest} />
}

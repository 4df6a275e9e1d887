import type { ComponentProps } from 'react'
import { useLocation } from 'wouter'
import { Button } from './Button.tsx'

/** What the specification calls a button although it leads to another page of the app. */
export function ButtonTo({ to, ...rest }: { to: string } & ComponentProps<typeof Button>) {
  const [, navigate] = useLocation()
  return <Button onClick={() => navigate(to)} {...rest} />
}

import { Music } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '../ui/Button.tsx'
import { lazyDialog } from '../ui/lazyDialog.tsx'
import { openDialog } from '../ui/place.ts'

export const SuggestDialog = lazyDialog(async () => (await import('./SuggestDialog.tsx')).SuggestDialog)

/** The way to a song that is missing (desk-24). */
export function SuggestButton(look: Pick<ComponentProps<typeof Button>, 'size' | 'className'>) {
  return (
    <Button onClick={() => openDialog('suggest')} {...look}>
      <Music className="size-5 max-[26rem]:hidden" strokeWidth={1.75} aria-hidden="true" />
      Suggest a song
    </Button>
  )
}

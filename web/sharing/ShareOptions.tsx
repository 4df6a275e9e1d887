import { Copy, ImageDown, Share2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Button, buttonLook } from '../ui/Button.tsx'
import { createPressGuard } from '../ui/pressGuard.ts'
import { toast } from '../ui/toast.ts'
import { copyText } from './copyText.ts'
import { shareServices } from './shareServices.ts'

interface ShareOptionsProps {
  /** A sentence that accompanies the link. */
  text: string
  link: string
  /** The address of the portrait picture. */
  picture: string
  /** What the field shows and 'Copy' copies: the link alone, or sentence and link. */
  copies?: 'link' | 'text'
}

/** Ways to share: copy, the browser's share sheet, services in a new tab, and the picture (sharing-9). */
export function ShareOptions({ text, link, picture, copies = 'link' }: ShareOptionsProps) {
  const whole = `${text} ${link}`
  return (
    <>
      <CopyField name={copies === 'link' ? 'Link' : 'Text'} value={copies === 'link' ? link : whole} />
      <div className="grid gap-2">
        <p className="text-xs text-ink-2">Or send it on</p>
        <div className="grid grid-cols-2 gap-2 *:last:odd:col-span-2">
          {shareServices(text, link).map(({ name, address }) => (
            <a key={name} href={address} target="_blank" rel="noopener noreferrer" className={buttonLook()}>
              {name}
              <span className="sr-only">(opens in a new tab)</span>
            </a>
          ))}
          <Button onClick={() => void readyForInstagram(whole, picture)}>Instagram</Button>
          {'share' in navigator && <BrowserShare text={text} link={link} />}
        </div>
      </div>
      <a
        href={picture}
        download={FILE_NAME}
        className={buttonLook({ variant: 'bare', className: '-ml-3 justify-self-start' })}
      >
        <ImageDown className="size-5" strokeWidth={1.75} aria-hidden="true" />
        Download picture
      </a>
    </>
  )
}

const FILE_NAME = 'banger-or-bust.png'

function CopyField({ name, value }: { name: 'Link' | 'Text'; value: string }) {
  const id = useId()
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  // The focused form is gone; copying is the usual next step.
  useEffect(() => button.current?.focus(), [])
  async function copy() {
    const done = name === 'Link' ? 'The link is in your clipboard.' : 'The text is in your clipboard.'
    if (!(await copyText(value, { title: 'Copied!', description: done }))) field.current?.select()
  }
  const look = 'w-full min-w-0 rounded-control border border-line-strong bg-surface px-3.5 text-base text-ink'
  const shared = {
    id,
    ref: field,
    readOnly: true,
    value,
    onFocus: (event: { currentTarget: { select(): void } }) => event.currentTarget.select(),
  }
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {name}
      </label>
      <div className="flex items-start gap-2">
        {name === 'Link' ? (
          <input {...shared} className={`${look} min-h-12 text-ellipsis`} />
        ) : (
          <textarea {...shared} rows={3} className={`${look} resize-none py-2.5 [field-sizing:content]`} />
        )}
        <Button ref={button} variant="main" className="min-h-12" onClick={() => void copy()}>
          <Copy className="size-5" strokeWidth={1.75} aria-hidden="true" />
          Copy
        </Button>
      </div>
    </div>
  )
}

/** Instagram has no share address: copies the text and downloads the picture. */
async function readyForInstagram(text: string, picture: string): Promise<void> {
  const copied = copyText(text, {
    title: 'Ready for Instagram!',
    description: 'Text copied. Paste it into your post.',
  })
  const link = document.createElement('a')
  link.href = picture
  link.download = FILE_NAME
  link.click()
  await copied
}

function BrowserShare({ text, link }: { text: string; link: string }) {
  const [guard] = useState(createPressGuard)
  async function share() {
    // The browser refuses a second sheet while the first is open.
    if (!guard.start()) return
    try {
      await navigator.share({ title: 'Banger or Bust', text, url: link })
    } catch (error) {
      // Closing the share sheet is not a failure.
      if (error instanceof DOMException && error.name === 'AbortError') return
      toast({ title: 'Sharing failed', description: 'Please copy the link instead.', tone: 'error' })
    } finally {
      guard.end()
    }
  }
  return (
    <Button onClick={() => void share()}>
      <Share2 className="size-5" strokeWidth={1.75} aria-hidden="true" />
      More ...
    </Button>
  )
}

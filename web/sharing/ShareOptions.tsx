import { useRef } from 'react'
import { useAction } from '../api/useAction.ts'
import { Button, buttonLook } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Copy, ImageDown, Share2 } from '../ui/laterIcons.ts'
import { toast } from '../ui/toast.ts'
import { useFocusOnMount } from '../ui/useFocusOnMount.ts'
import { copyText } from './copyText.ts'
import { ServiceLogo } from './ServiceLogo.tsx'
import { SharePicture } from './SharePicture.tsx'
import { shareServices } from './shareServices.ts'
import { PICTURE_NAME, useSharePicture } from './useSharePicture.ts'
import './shareOptions.css'

interface ShareOptionsProps {
  /** A sentence that accompanies the link. */
  text: string
  link: string
  /** The address of the portrait picture. */
  picture: string
  /** What the field shows and 'Copy' copies: the link alone, or sentence and link. */
  copies?: 'link' | 'text'
}

/**
 * The picture, and ways to share: the browser's share sheet, copy, services in a new tab, and the picture as a file
 * (sharing-9, sharing-20).
 */
export function ShareOptions({ text, link, picture, copies = 'link' }: ShareOptionsProps) {
  const whole = `${text} ${link}`
  const loading = useSharePicture(picture)
  return (
    <div className="share-options">
      <SharePicture picture={loading} alt={`The picture: ${text}`} />
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
        <CopyField name={copies === 'link' ? 'Link' : 'Text'} value={copies === 'link' ? link : whole} />
        {'share' in navigator && <BrowserShare text={text} link={link} picture={loading.data} />}
        <div className="grid gap-2">
          <p className="text-xs text-ink-2">Or send it on</p>
          <div className="grid grid-cols-2 gap-2 *:last:odd:col-span-2">
            {shareServices(text, link).map(({ name, address }) => (
              <a key={name} href={address} target="_blank" rel="noopener noreferrer" className={buttonLook()}>
                <ServiceLogo name={name} />
                {name}
                <span className="sr-only">(opens in a new tab)</span>
              </a>
            ))}
            <Button onClick={() => void readyForInstagram(whole, picture)}>
              <ServiceLogo name="Instagram" />
              Instagram
            </Button>
          </div>
        </div>
        <a
          href={picture}
          download={PICTURE_NAME}
          className={buttonLook({ variant: 'bare', className: '-ml-3 justify-self-start' })}
        >
          <ImageDown />
          Download picture
        </a>
      </div>
    </div>
  )
}

function CopyField({ name, value }: { name: 'Link' | 'Text'; value: string }) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  // The focused form is gone; copying is the usual next step.
  const button = useFocusOnMount<HTMLButtonElement>()
  async function copy() {
    const done = name === 'Link' ? 'The link is in your clipboard.' : 'The text is in your clipboard.'
    if (!(await copyText(value, { title: 'Copied!', description: done }))) field.current?.select()
  }
  return (
    <Field
      ref={field}
      label={name}
      rows={name === 'Text' ? 3 : undefined}
      readOnly
      value={value}
      onFocus={({ currentTarget }) => currentTarget.select()}
      className={
        name === 'Link' ? 'text-ellipsis' : 'min-w-0 resize-none wrap-anywhere [field-sizing:content]'
      }
    >
      <Button ref={button} variant="main" className="min-h-12" onClick={() => void copy()}>
        <Copy />
        Copy
      </Button>
    </Field>
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
  link.download = PICTURE_NAME
  link.click()
  await copied
}

interface BrowserShareProps {
  text: string
  link: string
  /** Undefined until it is there. */
  picture: File | undefined
}

/** The platform's share sheet, with the picture where it takes files. */
function BrowserShare({ text, link, picture }: BrowserShareProps) {
  // The browser refuses a second sheet while the first is open.
  const sharing = useAction({
    mutationFn: () => navigator.share(withPicture({ title: 'Banger or Bust', text, url: link }, picture)),
    onError(error) {
      // Closing the share sheet is not a failure.
      if (error.name === 'AbortError') return
      toast({ title: 'Sharing failed', description: 'Please copy the link instead.', tone: 'error' })
    },
  })
  return (
    <Button onClick={() => sharing.mutate()}>
      <Share2 />
      Share with an app
    </Button>
  )
}

function withPicture(data: ShareData, picture: File | undefined): ShareData {
  const whole = picture ? { ...data, files: [picture] } : data
  return navigator.canShare?.(whole) ? whole : data
}

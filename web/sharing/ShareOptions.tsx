import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { fetchFile } from '../api/call.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button, buttonClasses } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { useFocusOnMount } from '../ui/keyboard/useFocusOnMount.ts'
import { Copy, ImageDown, Share2 } from '../ui/laterIcons.ts'
import { LoadFailure, Spinner } from '../ui/page/Loading.tsx'
import { toast } from '../ui/toast.ts'
import { copyText } from './copyText.ts'
import { type ServiceName, shareServices } from './shareServices.ts'
import './shareOptions.css'

interface ShareOptionsProps {
  /** A sentence that accompanies the link. */
  text: string
  link: string
  /** The address of the portrait picture. */
  picture: string
  /** What the field shows and 'Copy' copies: the link alone, or sentence and link. */
  copyContent?: 'link' | 'text'
}

/**
 * The picture, and ways to share: the browser's share sheet, copy, services in a new tab, and the picture as a file
 * (sharing-9, sharing-20).
 */
export function ShareOptions({ text, link, picture, copyContent = 'link' }: ShareOptionsProps) {
  const whole = `${text} ${link}`
  const pictureQuery = useSharePicture(picture)
  return (
    <div className="share-options">
      <SharePicture picture={pictureQuery} alt={`The picture: ${text}`} />
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
        <CopyField
          name={copyContent === 'link' ? 'Link' : 'Text'}
          value={copyContent === 'link' ? link : whole}
        />
        {'share' in navigator && <BrowserShare text={text} link={link} picture={pictureQuery.data} />}
        <div className="grid gap-2">
          <p className="text-xs text-ink-2">Or send it on</p>
          <div className="grid grid-cols-2 gap-2 *:last:odd:col-span-2">
            {shareServices(text, link).map(({ name, address }) => (
              <a
                key={name}
                href={address}
                target="_blank"
                rel="noopener noreferrer"
                className={buttonClasses()}
              >
                <ServiceLogo name={name} />
                {name}
                <span className="sr-only">(opens in a new tab)</span>
              </a>
            ))}
            <Button onClick={() => void prepareInstagramPost(whole, picture)}>
              <ServiceLogo name="Instagram" />
              Instagram
            </Button>
          </div>
        </div>
        <a
          href={picture}
          download={PICTURE_NAME}
          className={buttonClasses({ variant: 'bare', className: '-ml-3 justify-self-start' })}
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
  // Takes the focus of the form that was sent: copying is the usual next step.
  const button = useFocusOnMount<HTMLButtonElement>()
  async function copy() {
    const successMessage =
      name === 'Link' ? 'The link is in your clipboard.' : 'The text is in your clipboard.'
    if (!(await copyText(value, { title: 'Copied!', description: successMessage }))) field.current?.select()
  }
  return (
    <Field
      ref={field}
      label={name}
      rows={name === 'Text' ? 3 : undefined}
      readOnly
      value={value}
      onFocus={({ currentTarget }) => currentTarget.select()}
      className={name === 'Link' ? 'text-ellipsis' : 'resize-none wrap-anywhere [field-sizing:content]'}
    >
      <Button ref={button} variant="main" className="min-h-12" onClick={() => void copy()}>
        <Copy />
        Copy
      </Button>
    </Field>
  )
}

/** Instagram has no share address: copies the text and downloads the picture. */
async function prepareInstagramPost(text: string, picture: string): Promise<void> {
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
  /** Undefined until it is loaded. */
  picture: File | undefined
}

/** The platform's share sheet, with the picture where it takes files. */
function BrowserShare({ text, link, picture }: BrowserShareProps) {
  // The browser refuses a second sheet while the first is open.
  const sharing = useMutation({
    mutationFn: () => navigator.share(addPicture({ title: 'Banger or Bust', text, url: link }, picture)),
    onError(error) {
      // Closing the share sheet is not a failure.
      if (error.name === 'AbortError') return
      toast.error('Please copy the link instead.', 'Sharing failed')
    },
  })
  return (
    <Button onClick={() => sharing.mutate()}>
      <Share2 />
      Share with an app
    </Button>
  )
}

function addPicture(data: ShareData, picture: File | undefined): ShareData {
  const whole = picture ? { ...data, files: [picture] } : data
  return navigator.canShare?.(whole) ? whole : data
}

interface SharePictureProps {
  picture: Pick<ReturnType<typeof useSharePicture>, 'data' | 'isError' | 'refetch'>
  /** What it shows, in words. */
  alt: string
}

/** The picture that will be shared. Its space is reserved until it loads (sharing-20). */
function SharePicture({ picture: { data, isError, refetch }, alt }: SharePictureProps) {
  const address = useObjectUrl(data)
  if (isError) {
    return <LoadFailure onRetry={refetch}>The picture did not load.</LoadFailure>
  }
  return (
    <div className="share-picture">
      {address ? (
        <img src={address} alt={alt} className="size-full" />
      ) : (
        <p role="status" className="grid justify-items-center gap-2 p-2 text-center text-xs text-ink-2">
          <Spinner />
          Making the picture...
        </p>
      )}
    </div>
  )
}

/** An address for an `img`. */
function useObjectUrl(file: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!file) return
    const objectUrl = URL.createObjectURL(file)
    setAddress(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [file])
  return address
}

/** A service's logo in the text colour. Decorative: its name is beside it. */
function ServiceLogo({ name }: { name: ServiceName }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="size-5 flex-none"
    >
      {serviceLogos[name]}
    </svg>
  )
}

const serviceLogos: Record<ServiceName, ReactNode> = {
  X: (
    <>
      <path d="M4 4h4.5L20 20h-4.5z" />
      <path d="M19.5 4 13.3 11M10.7 13.4 4.5 20" />
    </>
  ),
  Facebook: <path d="M15.5 3H14a4 4 0 0 0-4 4v3H7v4h3v7h4v-7h2.7l.8-4H14V7.5a.5.5 0 0 1 .5-.5h1z" />,
  WhatsApp: (
    <>
      <path d="M3.5 20.5 4.8 16a8.5 8.5 0 1 1 3.3 3.2z" />
      <path d="M9.2 8.2c-1.4 1.8.8 5.8 4.6 7.2 1 .3 2-.2 2.2-1.3l-1.9-1.2-1 .8c-1.2-.6-2-1.4-2.6-2.6l.8-1-1.1-1.9z" />
    </>
  ),
  Telegram: (
    <>
      <path d="M21 4 2.8 11.2l5.7 2.1L11 20l3.2-4 4.3 3.2z" />
      <path d="M21 4 8.5 13.3" />
    </>
  ),
  Instagram: (
    <>
      <rect x="3" y="3" width="18" height="18" rx="5" />
      <circle cx="12" cy="12" r="4" />
      <path d="M17 7h.01" />
    </>
  ),
}

/** The picture's file name. */
const PICTURE_NAME = 'banger-or-bust.png'

/** The picture as a file, requested again for each dialog, because its content changes. */
function useSharePicture(address: string) {
  return useQuery({
    queryKey: [address],
    queryFn: async ({ signal }) =>
      new File([await fetchFile(address, signal)], PICTURE_NAME, { type: 'image/png' }),
    gcTime: 0,
  })
}

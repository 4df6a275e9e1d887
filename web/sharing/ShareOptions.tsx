import { useQuery } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { type ShareKind, sharePath } from '../../contract/sharing.ts'
import { fetchFile } from '../api/call.ts'
import { withBasePath } from '../api/paths.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button, buttonClasses } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { focusElement } from '../ui/keyboard/focusElement.ts'
import { Copy, ImageDown, Share2 } from '../ui/laterIcons.ts'
import { LoadFailure, Spinner } from '../ui/page/Loading.tsx'
import { toast } from '../ui/toast.ts'
import { copyText } from './copyText.ts'
import { InstagramLogo, shareServices } from './shareServices.ts'

interface ShareLinkOptionsProps {
  kind: ShareKind
  shareToken: string
  /** A sentence that accompanies the link. */
  text: string
}

/** Ways to share what has a link and a picture of its own. */
export function ShareLinkOptions({ kind, shareToken, text }: ShareLinkOptionsProps) {
  const address = withBasePath(sharePath(kind, shareToken))
  return <ShareOptions text={text} link={location.origin + address} picture={`${address}/story.png`} />
}

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
  const textWithLink = `${text} ${link}`
  const pictureQuery = useSharePicture(picture)
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
      <SharePicture picture={pictureQuery} alt={`The picture: ${text}`} />
      <div className="grid min-w-0 flex-[1_1_16rem] grid-cols-[minmax(0,1fr)] content-start gap-4">
        <CopyField
          name={copyContent === 'link' ? 'Link' : 'Text'}
          value={copyContent === 'link' ? link : textWithLink}
        />
        {'share' in navigator && <BrowserShare text={text} link={link} picture={pictureQuery.data} />}
        <div className="grid gap-2">
          <p className="text-xs text-ink-2">Or send it on</p>
          <div className="grid grid-cols-2 gap-2 *:last:odd:col-span-2">
            {shareServices(text, link).map(({ name, Logo, address }) => (
              <a
                key={name}
                href={address}
                target="_blank"
                rel="noopener noreferrer"
                className={buttonClasses()}
              >
                <Logo />
                {name}
                <span className="sr-only">(opens in a new tab)</span>
              </a>
            ))}
            <Button onClick={() => void prepareInstagramPost(textWithLink, picture)}>
              <InstagramLogo />
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
      <Button ref={focusElement} variant="main" className="min-h-12" onClick={() => void copy()}>
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
  const withPicture = picture ? { ...data, files: [picture] } : data
  return navigator.canShare?.(withPicture) ? withPicture : data
}

interface SharePictureProps {
  picture: Pick<ReturnType<typeof useSharePicture>, 'data' | 'isError' | 'refetch'>
  /** What it shows, in words. */
  alt: string
}

/** The picture that will be shared. Its space is reserved until it loads (sharing-20). */
function SharePicture({ picture: { data, isError, refetch }, alt }: SharePictureProps) {
  const showData = useCallback(
    (image: HTMLImageElement | null) => {
      if (!image || !data) return
      image.src = URL.createObjectURL(data)
      return () => URL.revokeObjectURL(image.src)
    },
    [data],
  )
  if (isError) {
    return <LoadFailure onRetry={refetch}>The picture did not load.</LoadFailure>
  }
  return (
    <div className="mx-auto grid aspect-9/16 w-[min(9rem,30svh)] place-items-center overflow-hidden rounded-art bg-raised min-[40rem]:w-[min(12rem,30svh)]">
      {data ? (
        <img ref={showData} alt={alt} className="size-full" />
      ) : (
        <p role="status" className="grid justify-items-center gap-2 p-2 text-center text-xs text-ink-2">
          <Spinner />
          Making the picture...
        </p>
      )}
    </div>
  )
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

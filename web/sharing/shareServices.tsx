import type { ReactNode } from 'react'

type ServiceName = 'X' | 'Facebook' | 'WhatsApp' | 'Telegram' | 'Instagram'

interface ShareService {
  name: ServiceName
  /** The address of its share page. */
  address: string
}

/** Services that accept text and link in the address of a page (sharing-9). Instagram has none. */
export function shareServices(text: string, link: string): ShareService[] {
  const [encodedText, encodedLink, encodedTextAndLink] = [text, link, `${text} ${link}`].map(
    encodeURIComponent,
  )
  return [
    { name: 'X', address: `https://x.com/intent/post?text=${encodedText}&url=${encodedLink}` },
    { name: 'Facebook', address: `https://www.facebook.com/sharer/sharer.php?u=${encodedLink}` },
    { name: 'WhatsApp', address: `https://wa.me/?text=${encodedTextAndLink}` },
    { name: 'Telegram', address: `https://t.me/share/url?url=${encodedLink}&text=${encodedText}` },
  ]
}

/** A service's logo in the text colour. Decorative: its name is beside it. */
export function ServiceLogo({ name }: { name: ServiceName }) {
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

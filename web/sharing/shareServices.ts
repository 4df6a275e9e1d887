import { createIcon, type Icon } from '../ui/icons.tsx'

interface ShareService {
  name: string
  Logo: Icon
  /** The address of its share page. */
  address: string
}

/** Services that accept text and link in the address of a page (sharing-9). Instagram has none. */
export function shareServices(text: string, link: string): ShareService[] {
  const [encodedText, encodedLink, encodedTextAndLink] = [text, link, `${text} ${link}`].map(
    encodeURIComponent,
  )
  return [
    { name: 'X', Logo: XLogo, address: `https://x.com/intent/post?text=${encodedText}&url=${encodedLink}` },
    {
      name: 'Facebook',
      Logo: FacebookLogo,
      address: `https://www.facebook.com/sharer/sharer.php?u=${encodedLink}`,
    },
    { name: 'WhatsApp', Logo: WhatsAppLogo, address: `https://wa.me/?text=${encodedTextAndLink}` },
    {
      name: 'Telegram',
      Logo: TelegramLogo,
      address: `https://t.me/share/url?url=${encodedLink}&text=${encodedText}`,
    },
  ]
}

const XLogo = createIcon('M4 4h4.5L20 20h-4.5z', 'M19.5 4 13.3 11M10.7 13.4 4.5 20')
const FacebookLogo = createIcon('M15.5 3H14a4 4 0 0 0-4 4v3H7v4h3v7h4v-7h2.7l.8-4H14V7.5a.5.5 0 0 1 .5-.5h1z')
const WhatsAppLogo = createIcon(
  'M3.5 20.5 4.8 16a8.5 8.5 0 1 1 3.3 3.2z',
  'M9.2 8.2c-1.4 1.8.8 5.8 4.6 7.2 1 .3 2-.2 2.2-1.3l-1.9-1.2-1 .8c-1.2-.6-2-1.4-2.6-2.6l.8-1-1.1-1.9z',
)
const TelegramLogo = createIcon('M21 4 2.8 11.2l5.7 2.1L11 20l3.2-4 4.3 3.2z', 'M21 4 8.5 13.3')
export const InstagramLogo = createIcon(
  'M8 3h8a5 5 0 0 1 5 5v8a5 5 0 0 1-5 5H8a5 5 0 0 1-5-5V8a5 5 0 0 1 5-5z',
  'M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0',
  'M17 7h.01',
)

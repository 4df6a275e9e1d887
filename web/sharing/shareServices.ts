export type ServiceName = 'X' | 'Facebook' | 'WhatsApp' | 'Telegram' | 'Instagram'

export interface ShareService {
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

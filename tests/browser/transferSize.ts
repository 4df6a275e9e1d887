import type { Page } from '@playwright/test'

export const KIB = 1024

/** Bytes over the wire, by Chromium's resource type. */
export type TransferSize = Record<'Script' | 'Stylesheet' | 'Font', number>

/** The limits of a first load. */
export const MAX_TRANSFER = {
  landing: { Script: 85 * KIB, Stylesheet: 16 * KIB, Font: 110 * KIB },
  main: { Script: 110 * KIB, Stylesheet: 16 * KIB, Font: 110 * KIB },
} satisfies Record<string, TransferSize>

/** The bytes that the page receives from `origin` (or from anywhere) until `open` is done and fonts are loaded. */
export async function measureTransfer(
  page: Page,
  open: () => Promise<void>,
  origin = '',
): Promise<TransferSize> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const kinds = new Map<string, string>()
  const received: Record<string, number> = { Script: 0, Stylesheet: 0, Font: 0 }
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (response.url.startsWith(origin)) kinds.set(requestId, type)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId)
    if (kind) received[kind] = (received[kind] ?? 0) + encodedDataLength
  })
  await open()
  await page.evaluate(async () => void (await document.fonts.ready))
  return received as TransferSize
}

export function formatTransfer(weight: TransferSize): string {
  return Object.entries(weight)
    .map(([kind, bytes]) => `${kind} ${(bytes / KIB).toFixed(1)} KiB`)
    .join(', ')
}

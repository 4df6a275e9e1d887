import type { CDPSession, Page } from '@playwright/test'

/** Chromium's virtual authenticator: a device that holds passkeys and asks who uses them. */
export interface Authenticator {
  /** How many passkeys it holds. */
  count(): Promise<number>
  /** Whether the authenticator verifies the next person. If not, it acts as if they closed the browser's dialog. */
  recognise(is: boolean): Promise<void>
  /** Whether a person is there to press it. */
  setUserPresent(is: boolean): Promise<void>
}

/** It stays with the tab, also when it goes to another page. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async count() {
      return (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length
    },
    async recognise(isUserVerified) {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    async setUserPresent(enabled) {
      await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
  }
}

import type { AuthenticationResponseJSON } from '@simplewebauthn/browser'
import {
  addPasskey,
  getPasskeyChallenge,
  getPasskeyOptions,
  isHostName,
  type Passkey,
  signInWithPasskey,
} from '../../contract/passkeys.ts'
import { ApiError } from '../api/ApiError.ts'
import { call } from '../api/call.ts'
import { withBasePath } from '../api/paths.ts'

/** Browsers allow passkeys only at https addresses and localhost, and at no IP address (signin-20). */
export const canUsePasskeys = 'PublicKeyCredential' in globalThis && isHostName(location.hostname)

/** Lets the visitor choose a passkey, in the browser's dialog or among the suggestions of the e-mail field. */
export async function requestPasskey(
  from: 'dialog' | 'suggestions' = 'dialog',
): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await loadWebAuthn()
  const optionsJSON = await call(getPasskeyChallenge)
  return startAuthentication({ optionsJSON, useBrowserAutofill: from === 'suggestions' })
}

/** Signs in with the chosen passkey and leaves the page, as every sign-in does (signin-4). */
export async function finishPasskeySignIn({ id, response }: AuthenticationResponseJSON): Promise<void> {
  const { userHandle = '' } = response
  await call(signInWithPasskey, { body: { id, response: { ...response, userHandle } } })
  location.replace(withBasePath('/'))
}

/** Makes a passkey in the browser's dialog, and adds it to the account. */
export async function createPasskey(): Promise<Passkey> {
  const { startRegistration } = await loadWebAuthn()
  const optionsJSON = await call(getPasskeyOptions)
  const { id, response } = await startRegistration({ optionsJSON })
  const { clientDataJSON, attestationObject, transports = [] } = response
  try {
    return await call(addPasskey, {
      body: { id, response: { clientDataJSON, attestationObject, transports } },
    })
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) signalUnknownPasskey(id)
    throw error
  }
}

/** Tells the device which passkeys the account has, so that it offers no others. Few browsers can. */
export async function signalAcceptedPasskeys(): Promise<void> {
  if (!canUsePasskeys || !PublicKeyCredential.signalAllAcceptedCredentials) return
  const { rp, user, excludeCredentials } = await call(getPasskeyOptions)
  await PublicKeyCredential.signalAllAcceptedCredentials({
    rpId: rp.id,
    userId: user.id,
    allAcceptedCredentialIds: excludeCredentials.map(({ id }) => id),
  })
}

/** Cancels the request, and closes the browser's dialog if it is open. */
export async function cancelPasskeyRequest(): Promise<void> {
  const { WebAuthnAbortService } = await loadWebAuthn()
  WebAuthnAbortService.cancelCeremony()
}

const loadWebAuthn = () => import('@simplewebauthn/browser')

/**
 * Tells the device to stop offering a passkey that it just made and the server refused. Few browsers can. Not for
 * passkeys that are unknown at a sign-in, which may belong to another service of the host.
 */
function signalUnknownPasskey(credentialId: string): void {
  void PublicKeyCredential.signalUnknownCredential?.({ rpId: location.hostname, credentialId })?.catch(
    () => {},
  )
}

/** Why a passkey did not sign in (signin-24). */
export const passkeySignInMessage = (error: Error): string =>
  messageOf(error, {
    NotAllowedError:
      'No passkey was used: the dialog was closed, or took too long. Try again, or use another way to sign in.',
    other: 'Signing in did not work. Please try again.',
  })

/** Why no passkey was added (signin-24). */
export const addPasskeyMessage = (error: Error): string =>
  messageOf(error, {
    NotAllowedError: 'No passkey was added: the dialog was closed, or took too long.',
    InvalidStateError: 'There is a passkey for your account on this device already.',
    ConstraintError: 'This device cannot make a passkey with a screen lock or PIN. Please use another one.',
    NotSupportedError: 'This device cannot make a passkey. Please use another one.',
    other: 'No passkey was added. Please try again.',
  })

/** The message for the browser's error (WebAuthn §5.1.3, §5.1.4), or the server's own when it refused. */
function messageOf(error: Error, messages: Partial<Record<string, string>> & { other: string }): string {
  if (error instanceof ApiError) return error.serverMessage ?? messages.other
  return messages[error.name] ?? messages.other
}

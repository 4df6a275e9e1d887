import { ApiError } from '../api/ApiError.ts'

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

/** By the names of the browser's errors (WebAuthn §5.1.3, §5.1.4); in the server's words where it refused. */
function messageOf(error: Error, messages: Partial<Record<string, string>> & { other: string }): string {
  if (error instanceof ApiError) return error.serverMessage ?? messages.other
  return messages[error.name] ?? messages.other
}

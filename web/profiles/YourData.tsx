import { Suspense, useState } from 'react'
import type { CurrentUser } from '../../contract/auth.ts'
import { deleteAccount, exportData, exportRatings } from '../../contract/profiles.ts'
import { call } from '../api/call.ts'
import { withBasePath } from '../api/paths.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button, ButtonTo, buttonClasses } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { SwitchRow } from '../ui/controls/SwitchRow.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { Download } from '../ui/laterIcons.ts'
import { lazyComponent, lazyDialog } from '../ui/page/lazyComponent.tsx'
import { openDialog, useDialog } from '../ui/screenParams.ts'
import { toast } from '../ui/toast.ts'
import { useUpdateProfile } from './useUpdateProfile.ts'

const SaveAsDialog = lazyDialog(async () => (await import('../library/SaveAsDialog.tsx')).SaveAsDialog)

const ListenbrainzSettings = lazyComponent(
  async () => (await import('../listenbrainz/ListenbrainzSettings.tsx')).ListenbrainzSettings,
)

const ApiTokensDialog = lazyDialog(async () => (await import('./ApiTokensDialog.tsx')).ApiTokensDialog)

const downloads = [
  { format: 'json', name: 'JSON', description: 'All ratings, for programs' },
  { format: 'csv', name: 'CSV', description: 'All ratings, for spreadsheets' },
  { format: 'jspf', name: 'JSPF', description: 'Your bangers, as a playlist' },
] as const

/** Downloads, e-mail opt-out, tokens and account deletion (people-18, people-23, people-24). */
export function YourData({ user }: { user: CurrentUser }) {
  return (
    <section aria-labelledby="your-data" className="@container border-t border-line pt-6">
      <h2 id="your-data">Your data</h2>
      <div className="mt-4 grid gap-8 @3xl:grid-cols-2 @3xl:gap-10">
        <div className="grid content-start gap-8">
          <a
            href={withBasePath(exportData.path)}
            download
            className={buttonClasses({ className: 'justify-self-start' })}
          >
            <Download />
            Download my data
          </a>
          <div className="grid content-start gap-3">
            <h3>Download my ratings</h3>
            <ul className="grid gap-2">
              {downloads.map(({ format, name, description }) => (
                <li key={format} className="flex items-center gap-4">
                  <a
                    href={withBasePath(`${exportRatings.path}?format=${format}`)}
                    download
                    className={buttonClasses({ size: 'tight', className: 'w-28 flex-none' })}
                  >
                    <Download />
                    {name}
                  </a>
                  <span className="text-ink-2">{description}</span>
                </li>
              ))}
            </ul>
          </div>
          <div className="grid content-start justify-items-start gap-3">
            <h3>Take your bangers along</h3>
            <Button onClick={() => openDialog('save-as')}>Save as…</Button>
            <SaveAsDialog {...useDialog('save-as')} />
          </div>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-8">
          <div className="grid justify-items-start gap-3">
            <h3>Bring your loves</h3>
            <p className="text-ink-2">Songs that you liked elsewhere become bangers here.</p>
            <ButtonTo to="/imports">Bring your loves</ButtonTo>
          </div>
          <Suspense>
            <ListenbrainzSettings />
          </Suspense>
          <EmailOptOut user={user} />
          <ProgramAccess />
          <DeleteAccount user={user} />
        </div>
      </div>
    </section>
  )
}

function EmailOptOut({ user: { emailOptOut } }: { user: CurrentUser }) {
  const saving = useUpdateProfile()
  return (
    <SwitchRow
      name="No e-mails"
      isOn={saving.isPending ? Boolean(saving.variables?.emailOptOut) : emailOptOut}
      onChange={(on) => saving.mutate({ emailOptOut: on })}
    >
      You get no e-mails except the sign-in links that you request. Your feedback reaches the operator without
      your address, so nobody can answer it.
    </SwitchRow>
  )
}

function ProgramAccess() {
  return (
    <div className="grid justify-items-start gap-3">
      <h3>Tokens for programs</h3>
      <p className="text-ink-2">
        Programs of yours can rate for you and read your ratings, by the{' '}
        <a href={withBasePath('/docs')} className="underline underline-offset-3 hover:text-ink">
          API
        </a>
        .
      </p>
      <Button onClick={() => openDialog('tokens')}>Tokens…</Button>
      <ApiTokensDialog {...useDialog('tokens')} />
    </div>
  )
}

function DeleteAccount({ user }: { user: CurrentUser }) {
  const { open, onOpenChange } = useDialog('delete-account')
  return (
    <div className="grid justify-items-start gap-3">
      <h3>Delete my account</h3>
      <p className="text-ink-2">Everything stored about you is deleted with it, for good.</p>
      <Button onClick={() => onOpenChange(true)} className="border-danger! text-danger!">
        Delete my account
      </Button>
      {open && <DeleteAccountDialog email={user.email} onClose={() => onOpenChange(false)} />}
    </div>
  )
}

interface DeleteAccountDialogProps {
  /** Null for an account without one: its listener types DELETE (people-18). */
  email: string | null
  onClose: () => void
}

function DeleteAccountDialog({ email, onClose }: DeleteAccountDialogProps) {
  const requiredText = email ?? 'DELETE'
  const [enteredText, setEnteredText] = useState('')
  const deleting = useMutation({
    mutationFn: () => call(deleteAccount, { body: { confirmation: enteredText } }),
    // Reloads the page, so that no data of the account stays in memory.
    onSuccess: () => location.replace(withBasePath('/')),
    onError: () => toast.error('Your account was not deleted. Please try again.'),
  })
  return (
    <FormDialog
      title="Delete my account"
      width="32rem"
      submitText="Delete my account"
      pendingText="Deleting..."
      cancelText="Keep my account"
      isDestructive
      isPending={deleting.isPending}
      canSubmit={enteredText.trim().toLowerCase() === requiredText.toLowerCase()}
      onSubmit={() => deleting.mutate()}
      onClose={onClose}
    >
      <p className="text-base">This cannot be undone. You lose at once and for good:</p>
      <ul className="grid list-disc gap-1 pl-5 text-ink-2">
        <li>all of your ratings and your library</li>
        <li>your achievements</li>
        <li>your profile, your photo and who follows whom</li>
        <li>your collections and mixes; links to them and to your achievements stop working</li>
      </ul>
      <p className="text-ink-2">
        You can{' '}
        <a href={withBasePath(exportData.path)} download className="text-ink underline">
          download your data
        </a>{' '}
        first.
      </p>
      <Field
        label={`To confirm, type ${requiredText}`}
        value={enteredText}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={setEnteredText}
      />
    </FormDialog>
  )
}

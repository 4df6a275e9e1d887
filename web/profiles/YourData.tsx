import type { CurrentUser } from '../../contract/auth.ts'
import { exportData, exportRatings } from '../../contract/profiles.ts'
import { addressOf } from '../api/address.ts'
import { Button, buttonLook } from '../ui/Button.tsx'
import { Download } from '../ui/laterIcons.ts'
import { useDialog } from '../ui/place.ts'
import { SwitchRow } from '../ui/SwitchRow.tsx'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import { useUpdateProfile } from './useUpdateProfile.ts'

const downloads = [
  { format: 'json', name: 'JSON', words: 'All ratings, for programs' },
  { format: 'csv', name: 'CSV', words: 'All ratings, for spreadsheets' },
  { format: 'jspf', name: 'JSPF', words: 'Your bangers, as a playlist' },
] as const

/** Downloads, e-mail opt-out and account deletion (people-18, people-23, people-24). */
export function YourData({ user }: { user: CurrentUser }) {
  return (
    <section aria-labelledby="your-data" className="@container border-t border-line pt-6">
      <h2 id="your-data">Your data</h2>
      <div className="mt-4 grid gap-8 @3xl:grid-cols-2 @3xl:gap-10">
        <div className="grid content-start gap-8">
          <div className="grid content-start gap-3">
            <h3>Download my data</h3>
            <DownloadRow
              path={exportData.path}
              name="My data"
              words="Everything that is kept about you, as JSON"
            />
          </div>
          <div className="grid content-start gap-3">
            <h3>Download my ratings</h3>
            <ul className="grid gap-2">
              {downloads.map(({ format, name, words }) => (
                <li key={format}>
                  <DownloadRow path={`${exportRatings.path}?format=${format}`} name={name} words={words} />
                </li>
              ))}
            </ul>
          </div>
        </div>
        <div className="grid content-start gap-8">
          <EmailOptOut user={user} />
          <DeleteAccount user={user} />
        </div>
      </div>
    </section>
  )
}

function DownloadRow({ path, name, words }: { path: string; name: string; words: string }) {
  return (
    <div className="flex items-center gap-4">
      <a
        href={addressOf(path)}
        download
        className={buttonLook({ size: 'tight', className: 'w-28 flex-none' })}
      >
        <Download />
        {name}
      </a>
      <span className="text-ink-2">{words}</span>
    </div>
  )
}

function EmailOptOut({ user: { emailOptOut } }: { user: CurrentUser }) {
  const saving = useUpdateProfile()
  return (
    <SwitchRow
      name="No e-mails"
      on={saving.isPending ? Boolean(saving.variables?.emailOptOut) : emailOptOut}
      onChange={(on) => saving.mutate({ emailOptOut: on })}
    >
      You get no e-mails except the sign-in links that you request. Your feedback reaches the operator without
      your address, so nobody can answer it.
    </SwitchRow>
  )
}

function DeleteAccount({ user }: { user: CurrentUser }) {
  const { open, onOpenChange } = useDialog('delete-account')
  return (
    <div className="grid justify-items-start gap-3">
      <h3>Delete my account</h3>
      <p className="text-ink-2">Everything that is kept about you goes with it, for good.</p>
      <Button onClick={() => onOpenChange(true)} className="border-danger! text-danger!">
        Delete my account
      </Button>
      <DeleteAccountDialog email={user.email} open={open} onOpenChange={onOpenChange} />
    </div>
  )
}

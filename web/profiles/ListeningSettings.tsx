import type { CurrentUser } from '../../contract/auth.ts'
import { SwitchRow } from '../ui/SwitchRow.tsx'
import { SongChoice } from './SongChoice.tsx'
import { useUpdateProfile } from './useUpdateProfile.ts'

/** Which songs come on Discover (discover-70), and where they begin (playback-62). */
export function ListeningSettings({ user: { startAtHook } }: { user: CurrentUser }) {
  const saving = useUpdateProfile()
  return (
    <section aria-labelledby="listening" className="grid gap-4 border-t border-line pt-6">
      <h2 id="listening">Listening</h2>
      <SongChoice />
      <SwitchRow
        name="Begin at the hook"
        on={saving.isPending ? Boolean(saving.variables?.startAtHook) : startAtHook}
        onChange={(on) => saving.mutate({ startAtHook: on })}
      >
        On Discover videos begin about a third into the song. Previews, and songs that you choose yourself,
        begin at the start.
      </SwitchRow>
    </section>
  )
}

import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../api/useAction.ts'
import { Button } from '../ui/Button.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { DiagnosticSection } from './DiagnosticSection.tsx'
import { playerErrors } from './playerErrors.ts'
import { type Tone, toneLook } from './Tag.tsx'
import { checks, type Finding } from './troubleshoot.ts'
import { useSamples } from './useSamples.ts'

/** Checks the sample song from the catalogue to this browser, and explains the player's errors (diagnostics-14). */
export function Troubleshooter() {
  const { songs } = useSamples()
  const [findings, setFindings] = useState<Finding[]>([])
  const running = useAction({
    async mutationFn() {
      setFindings([])
      for (const { look } of checks) {
        const finding = await look(songs?.[0])
        setFindings((known) => [...known, finding])
      }
    },
  })
  return (
    <DiagnosticSection
      title="Troubleshooter"
      words="Follows the sample song from the catalogue to your loudspeaker and says where it gets stuck."
    >
      <Button
        variant="main"
        className="justify-self-start"
        disabled={running.isPending}
        onClick={() => running.mutate()}
      >
        {running.isPending ? 'Checking ...' : 'Run Checks'}
      </Button>
      <ul aria-label="Checks" aria-live="polite" className="border-t border-line">
        {checks.map(({ name }, index) => (
          <CheckRow
            key={name}
            name={name}
            finding={findings[index]}
            busy={running.isPending && findings.length === index}
          />
        ))}
      </ul>
      <h3 className="pt-2">Error codes of the video player</h3>
      <dl className="border-t border-line">
        {playerErrors.map(({ code, meaning, reaction }) => (
          <div
            key={code}
            className="grid grid-cols-[3rem_minmax(0,1fr)] items-baseline gap-x-3 border-b border-line py-2"
          >
            <dt className="font-semibold tabular-nums">{code}</dt>
            <dd>
              {meaning} <span className="text-ink-2">{reaction}</span>
            </dd>
          </div>
        ))}
      </dl>
    </DiagnosticSection>
  )
}

function CheckRow({ name, finding, busy }: { name: string; finding: Finding | undefined; busy: boolean }) {
  const look = finding ? looks[finding.state] : null
  const Icon = look?.icon ?? CircleDashed
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 border-b border-line py-2">
      {busy ? (
        <Spinner className="mt-0.5 size-5" />
      ) : (
        <Icon
          role="img"
          aria-label={look?.name ?? 'Not checked'}
          className={`mt-0.5 size-5 ${look ? toneLook(look.tone) : 'text-ink-3'}`}
          strokeWidth={1.75}
        />
      )}
      <div>
        {name}
        {finding && <span className="block text-xs text-ink-2">{finding.words}</span>}
      </div>
    </li>
  )
}

const looks = {
  fine: { name: 'Fine', tone: 'good', icon: CircleCheck },
  trouble: { name: 'Trouble', tone: 'poor', icon: CircleX },
  skipped: { name: 'Skipped', tone: 'plain', icon: CircleDashed },
} satisfies Record<Finding['state'], { name: string; tone: Tone; icon: unknown }>

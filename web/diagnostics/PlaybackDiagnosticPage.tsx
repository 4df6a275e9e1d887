import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listPlaybackHealth, type SongHealth, verifySong } from '../../contract/diagnostics.ts'
import { call } from '../api/call.ts'
import { query } from '../api/query.ts'
import { useMutation } from '../api/useMutation.ts'
import { Button } from '../ui/controls/Button.tsx'
import { SwitchRow } from '../ui/controls/SwitchRow.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../ui/controls/Tabs.tsx'
import { formatDate } from '../ui/formatDate.ts'
import { LoadFailure } from '../ui/page/Loading.tsx'
import { AudioDebugPanel } from './AudioDebugPanel.tsx'
import { DiagnosticFrame, DiagnosticSection, Tag } from './DiagnosticFrame.tsx'
import { RepairTool } from './RepairTool.tsx'
import { Troubleshooter } from './Troubleshooter.tsx'
import { explainWithStatus, useScopedToast } from './useTool.ts'

/** The playback diagnostic (diagnostics-14). */
export function PlaybackDiagnosticPage() {
  return (
    <DiagnosticFrame
      title="Playback Diagnostic"
      description="Why a song does not play, what listeners' players reported, and what could replace a video."
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-12 pt-8 large:grid-cols-2 min-[100rem]:grid-cols-3">
        <Troubleshooter />
        <AudioDebugPanel />
        <RepairTool />
        <OptimizationPanel />
        <PlaybackHealth />
      </div>
    </DiagnosticFrame>
  )
}

/** What the player does about failing videos. The switches are local and change nothing (diagnostics-16). */
function OptimizationPanel() {
  const [disabledNames, setDisabledNames] = useState<readonly string[]>([])
  return (
    <DiagnosticSection
      title="Optimizations"
      description="What the player does about videos that do not play."
    >
      <Tabs defaultValue="options">
        <TabList label="Optimizations">
          <Tab value="options">Optimization Options</Tab>
          <Tab value="strategies">Embedding Strategies</Tab>
          <Tab value="recommendations">Recommendations</Tab>
        </TabList>
        <TabPanel value="options" className="grid gap-4">
          <Options disabledNames={disabledNames} onChange={setDisabledNames} />
        </TabPanel>
        <TabPanel value="strategies">
          <ol className="border-t border-line">
            {Object.entries(embeddingStrategies).map(([name, description], index) => (
              <li key={name} className="grid grid-cols-[1.75rem_minmax(0,1fr)] border-b border-line py-2">
                <span aria-hidden="true" className="font-display font-bold text-ink-3">
                  {index + 1}
                </span>
                <div>
                  <b className="font-semibold">{name}</b>
                  <span className="block text-xs text-ink-2">{description}</span>
                </div>
              </li>
            ))}
          </ol>
        </TabPanel>
        <TabPanel value="recommendations">
          <ul className="grid list-disc gap-2 pl-5">
            {recommendations.map((description) => (
              <li key={description}>{description}</li>
            ))}
          </ul>
        </TabPanel>
      </Tabs>
    </DiagnosticSection>
  )
}

interface OptionsProps {
  /** Of the optimizations that are switched off. */
  disabledNames: readonly string[]
  onChange: (disabledNames: readonly string[]) => void
}

function Options({ disabledNames, onChange }: OptionsProps) {
  const toast = useScopedToast()
  return (
    <>
      {Object.entries(optimizations).map(([name, description]) => (
        <SwitchRow
          key={name}
          name={name}
          isOn={!disabledNames.includes(name)}
          onChange={(on) =>
            onChange(on ? disabledNames.filter((other) => other !== name) : [...disabledNames, name])
          }
        >
          {description}
        </SwitchRow>
      ))}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          variant="main"
          onClick={() =>
            toast({
              title: 'Optimizations Applied',
              description: 'Enhanced YouTube player is now active with smart fallbacks',
              tone: 'success',
            })
          }
        >
          Apply Selected Optimizations
        </Button>
        <span className="text-xs text-ink-2">
          The switches have no effect outside this page. Listeners' players always use every optimization.
        </span>
      </div>
    </>
  )
}

/* Texts about what the player does when videos fail (diagnostics-16, playback-11). */

const optimizations = {
  'Smart fallbacks': 'When one way of embedding fails, the next is tried by itself.',
  'Minimal parameters': 'The second try leaves out everything that a video may refuse.',
  'No-cookie host': 'The third try asks youtube-nocookie.com.',
  'Preview fallback': 'When every way failed, a 30-second preview plays.',
  'Skip blocked videos': 'A video that failed for several listeners is not tried again.',
}

const embeddingStrategies = {
  'Full embed': 'With controls and the address of this page.',
  'Minimal embed': '500 ms after the first failure, with as little as possible.',
  'No-cookie host': '1000 ms after the second, from youtube-nocookie.com.',
  'Spotify preview': 'After three ways at most: half a minute of the song, found at Deezer.',
}

const recommendations = [
  'About 70 percent of stored videos fail embedding. Verify the catalogue, and replace what is blocked.',
  'Spotify previews exist for about 30 to 50 percent of tracks; do not rely on them alone.',
  "Prefer the label's or the artist's own upload: it stays, and its title matches.",
  'Error 150: this upload cannot be embedded. Another one of the same recording often can.',
] as const

/** Videos that failed for most listeners, with a button to verify them again. */
function PlaybackHealth() {
  const toast = useScopedToast()
  const { data, isError, refetch } = useQuery(query(listPlaybackHealth))
  return (
    <DiagnosticSection
      title="Playback health"
      description="Videos that failed in listeners' players in the last 30 days. One that failed for several listeners is blocked: its song begins with the preview until the video is verified again."
      className="large:col-span-2"
    >
      {isError && <LoadFailure onRetry={refetch}>The playback health did not load.</LoadFailure>}
      {data?.length === 0 && <p className="text-ink-2">No video has failed.</p>}
      {data && data.length > 0 && (
        <ul aria-label="Failing videos" className="border-t border-line">
          {data.map((song) => (
            <HealthRow key={song.songId} song={song} toast={toast} />
          ))}
        </ul>
      )}
    </DiagnosticSection>
  )
}

interface HealthRowProps {
  song: SongHealth
  /** The list's, because the row of a video that works again disappears. */
  toast: ReturnType<typeof useScopedToast>
}

function HealthRow({ song, toast }: HealthRowProps) {
  const queryClient = useQueryClient()
  const verify = useMutation({
    mutationFn: () => call(verifySong, { params: { songId: song.songId } }),
    onSuccess({ embeddable, error }) {
      toast(
        embeddable
          ? {
              title: 'Video Can be Embedded',
              description: `${song.title} plays its video again.`,
              tone: 'success',
            }
          : {
              title: 'Video Cannot be Embedded',
              description: error ?? 'Status: Not accessible',
              tone: 'error',
            },
      )
      return queryClient.invalidateQueries({ queryKey: query(listPlaybackHealth).queryKey })
    },
    onError: (error) =>
      toast({
        title: 'Verification Failed',
        description: explainWithStatus('Verification failed', error),
        tone: 'error',
      }),
  })
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b border-line py-2 wide:grid-cols-[minmax(0,1.2fr)_7rem_minmax(0,1fr)_6rem_auto]">
      <div className="grid min-w-0">
        <b dir="auto" className="truncate text-left font-semibold">
          {song.title}
        </b>
        <span dir="auto" className="truncate text-left text-xs text-ink-2">
          {song.artist}
        </span>
      </div>
      <span className="wide:order-4 wide:justify-self-end">
        {song.blocked ? <Tag tone="poor">Blocked</Tag> : <Tag tone="fair">Watched</Tag>}
      </span>
      <code className="text-xs text-ink-3 max-wide:col-span-2">{song.youtubeId}</code>
      <span className="text-xs text-ink-2 max-wide:col-span-2">
        {healthSummary(song)} · {formatDate(song.lastReportedAt)}
      </span>
      <Button
        size="tight"
        className="justify-self-start wide:order-5"
        disabled={verify.isPending}
        aria-label={`Verify again: ${song.title}`}
        onClick={() => verify.mutate()}
      >
        Verify again
      </Button>
    </li>
  )
}

/** 'failed for 3 (150 × 3), played for 1, previews for 2'. */
function healthSummary({ failed, errors, played, previews }: SongHealth): string {
  const codes = Object.entries(errors).map(([code, count]) => `${code} × ${count}`)
  const reasons = codes.length > 0 ? ` (${codes.join(', ')})` : ''
  return `failed for ${failed}${reasons}, played for ${played}, previews for ${previews}`
}

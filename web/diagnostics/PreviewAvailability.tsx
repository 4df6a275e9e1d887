import { testPreviewAvailability } from '../../contract/diagnostics.ts'
import { call } from '../api/call.ts'
import { useAction } from '../api/useAction.ts'
import { Button } from '../ui/Button.tsx'
import { explainWithStatus } from './explainFailure.ts'
import { Fact, Facts } from './Facts.tsx'
import { Tag } from './Tag.tsx'
import { useOwnToast } from './useOwnToast.ts'

/** How many of eight fixed tracks have a preview (diagnostics-15). */
export function PreviewAvailability() {
  const toast = useOwnToast()
  const test = useAction({
    mutationFn: () => call(testPreviewAvailability),
    onError: (error) =>
      toast({
        title: 'Test Failed',
        description: explainWithStatus('Preview availability test failed', error),
        tone: 'error',
      }),
  })
  const summary = test.data
  return (
    <>
      <Button className="justify-self-start" disabled={test.isPending} onClick={() => test.mutate()}>
        {test.isPending ? 'Testing 8 tracks ...' : 'Test Preview Availability'}
      </Button>
      <div aria-live="polite" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {summary && (
          <>
            <Facts>
              <Fact name="Tracks found">{summary.tracksFound}</Fact>
              <Fact name="Tracks with previews">{summary.tracksWithPreviews}</Fact>
              <Fact name="Preview rate">{summary.previewRate}%</Fact>
            </Facts>
            <ul aria-label="Tracks" className="grid gap-x-8 wide:grid-cols-2">
              {summary.tracks?.map(({ title, artist, found, hasPreview }) => (
                <li key={`${artist}/${title}`} className="flex items-center gap-3 py-1 text-xs">
                  <span className="min-w-0 flex-1 wrap-anywhere">
                    {title} <span className="text-ink-2">by {artist}</span>
                  </span>
                  <Tag tone={hasPreview ? 'good' : 'poor'}>
                    {hasPreview ? 'Preview' : found ? 'No preview' : 'Not found'}
                  </Tag>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  )
}

import { ShieldCheck } from 'lucide-react'
import type { FormEvent } from 'react'
import { verifyVideo } from '../../contract/diagnostics.ts'
import type { Response } from '../../contract/endpoint.ts'
import { call } from '../api/call.ts'
import { useAction } from '../api/useAction.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { explainWithStatus } from './explainFailure.ts'
import { Tag } from './Tag.tsx'
import { useOwnToast } from './useOwnToast.ts'

interface VideoCheckProps {
  videoId: string
  onChange: (videoId: string) => void
}

/** Whether a video may be embedded, by every strategy (diagnostics-18). */
export function VideoCheck({ videoId, onChange }: VideoCheckProps) {
  const toast = useOwnToast()
  const check = useAction({
    mutationFn: (id: string) =>
      call(verifyVideo, { params: { videoId: id }, query: { strategy: 'enhanced' } }),
    onError: (error) =>
      toast({
        title: 'Verification Failed',
        description: explainWithStatus('Verification failed', error),
        tone: 'error',
      }),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const id = videoId.trim()
    if (id) return check.mutate(id)
    toast({ title: 'Missing Video ID', description: 'Please enter a YouTube video ID', tone: 'error' })
  }

  return (
    <>
      <form noValidate onSubmit={submit} className="grid items-end gap-3 wide:grid-cols-[minmax(0,1fr)_auto]">
        <Field
          label="Video ID"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={videoId}
          onChange={onChange}
        />
        <Button
          type="submit"
          variant="main"
          className="min-h-12 justify-self-start"
          disabled={check.isPending}
        >
          <ShieldCheck className="size-5" strokeWidth={1.75} aria-hidden="true" />
          {check.isPending ? 'Verifying ...' : 'Verify Video'}
        </Button>
      </form>
      <div aria-live="polite" className="empty:hidden">
        {check.data && <Verdict verification={check.data} videoId={check.variables ?? ''} />}
      </div>
    </>
  )
}

function Verdict({ verification, videoId }: { verification: Response<typeof verifyVideo>; videoId: string }) {
  const { embeddable, accessible, error, strategies } = verification
  return (
    <div className="grid gap-3">
      <div>
        <p className={`font-semibold ${embeddable ? 'text-success' : 'text-danger'}`}>
          {embeddable ? 'Video Can be Embedded' : 'Video Cannot be Embedded'}
        </p>
        <p className="text-ink-2">
          {embeddable ? videoId : (error ?? `Status: ${accessible ? 'Accessible' : 'Not accessible'}`)}
        </p>
      </div>
      <ul aria-label="Strategies" className="border-t border-line">
        {strategies.map(({ name, success, detail }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2">
            <span className="min-w-0 flex-1 wrap-anywhere">
              {name}
              {detail && <span className="block text-xs text-ink-2">{detail}</span>}
            </span>
            <Tag tone={success ? 'good' : 'poor'}>{success ? 'Success' : 'Failed'}</Tag>
          </li>
        ))}
      </ul>
    </div>
  )
}

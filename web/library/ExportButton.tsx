import { Download } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'

/** Only shows that the export is not available yet (library-9). */
export function ExportButton() {
  const tell = () =>
    toast({
      title: 'Export Coming Soon',
      description: 'Playlist export is not available yet. You can download your ratings from your profile.',
    })
  return (
    <Button onClick={tell} className="max-wide:size-(--size-touch) max-wide:px-0!">
      <Download className="size-5" strokeWidth={1.75} aria-hidden="true" />
      <span className="max-wide:sr-only">Export</span>
    </Button>
  )
}

import { HeadButton } from '../ui/HeadButton.tsx'
import { Download } from '../ui/laterIcons.ts'
import { toast } from '../ui/toast.ts'

/** Only shows that the export is not available yet (library-9). */
export function ExportButton() {
  const tell = () =>
    toast({
      title: 'Export Coming Soon',
      description: 'Playlist export is not available yet. You can download your ratings from your profile.',
    })
  return (
    <HeadButton icon={Download} onClick={tell}>
      Export
    </HeadButton>
  )
}

import { toast } from '../ui/toast.ts'

/** Copies a text to the clipboard and shows a toast (sharing-10). */
export async function copyText(
  text: string,
  successToast: { title: string; description?: string },
  what = 'link',
): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ ...successToast, tone: 'success' })
    return true
  } catch {
    toast.error(`Please copy the ${what} manually.`, 'Copy failed')
    return false
  }
}

import { toast } from '../ui/toast.ts'

/** Puts a text into the clipboard and says so; says how to do without when the browser refuses (spec §8). */
export async function copyText(
  text: string,
  done: { title: string; description?: string },
): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ ...done, tone: 'success' })
    return true
  } catch {
    toast({ title: 'Copy failed', description: 'Please copy the link manually.', tone: 'error' })
    return false
  }
}

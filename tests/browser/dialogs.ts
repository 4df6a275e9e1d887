import { expect, type Locator } from '@playwright/test'

/** Closes the dialog with Escape once it has the focus, because it handles keys only then. */
export async function closeWithEscape(dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await dialog.page().keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

import { expect, type Locator } from '@playwright/test'

/** Closes it by the keyboard, once it has the focus: from then on it hears keys. */
export async function closeWithEscape(dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await dialog.page().keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

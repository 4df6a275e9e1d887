import { stored } from '../api/stored.ts'

const setting = stored('shortcuts')

/** Whether single-key shortcuts are on. People who use speech input turn them off (WCAG 2.1.4). */
export const shortcutsOn = (): boolean => setting.read() !== 'off'

export const setShortcutsOn = (on: boolean): void => setting.save(on ? null : 'off')

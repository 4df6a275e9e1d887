import { storageItem } from '../api/storageItem.ts'

const setting = storageItem('shortcuts')

/** Whether single-key shortcuts are on. People who use speech input turn them off (WCAG 2.1.4). */
export const areShortcutsOn = (): boolean => setting.read() !== 'off'

export const setShortcutsOn = (on: boolean): void => setting.save(on ? null : 'off')

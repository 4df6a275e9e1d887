import type { House } from '../../tests/browser/house.ts'

/** A house and what is done to it. */
export interface Scene {
  house: House
  /** Does the harm, and what an operator's process manager would do about it: nothing else. */
  strike(round: number): Promise<void>
  close(): Promise<void>
}

export interface Blow {
  title: string
  /** Or why it cannot be done on this machine. */
  prepare(): Promise<Scene | string>
}

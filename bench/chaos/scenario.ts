import type { TestServer } from '../../tests/browser/testServer.ts'

/** A test server and the fault to inject. */
export interface Scenario {
  app: TestServer
  /** Injects the fault, and restarts only what an operator's process manager would. */
  inject(round: number): Promise<void>
  /** What the rounds have shown about the fault itself. */
  figures?(): Record<string, number[]>
  close(): Promise<void>
}

export interface Fault {
  title: string
  /** Whether acknowledged ratings are lost, as a check that this bench would see it. */
  isLossy?: true
  /** Or the reason why this machine cannot run it. */
  prepare(): Promise<Scenario | string>
}

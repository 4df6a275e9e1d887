import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { startTestServer, type TestServer } from '../../tests/browser/testServer.ts'
import type { AddCleanUp } from '../measure/report.ts'

/** A test server and the fault to inject. */
export interface Scenario {
  app: TestServer
  /** Injects the fault, and restarts only what an operator's process manager would. */
  inject(round: number): Promise<void>
  /** Figures about the fault itself, after all rounds. */
  figures?: Record<string, number[]>
}

export async function startServer(
  later: AddCleanUp,
  settings: Record<string, string> = {},
): Promise<TestServer> {
  const app = await startTestServer({ LOG_LEVEL: 'info', ...settings })
  later(() => app.close())
  return app
}

export async function makeFolder(later: AddCleanUp): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bob-chaos-'))
  later(() => rm(folder, { recursive: true, force: true }))
  return folder
}

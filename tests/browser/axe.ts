import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type Axe from 'axe-core'

declare global {
  interface Window {
    axe?: typeof Axe
  }
}

export interface Violation {
  rule: string
  /** The element. */
  html: string
  target: string
  /** What to do about it. */
  summary: string
}

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds on the page, without the frames: YouTube's own page is not checked. A document gets axe's source
 * once: to evaluate it takes as long as a check.
 */
export async function findViolations(
  page: Page,
  narrow: { rules?: string[]; tags?: string[]; within?: string } = {},
): Promise<{ violations: Violation[]; passed: number }> {
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(await source)
  return await page.evaluate(async ({ rules, tags, within }) => {
    if (!window.axe) throw new Error('The document changed during the check.')
    const values = rules ?? tags
    const { violations, passes } = await window.axe.run(
      { include: [within ?? 'html'], exclude: ['iframe'] },
      {
        ...(values && { runOnly: { type: rules ? 'rule' : 'tag', values } }),
        // Experimental: a voice says the words that it sees.
        ...(tags && { rules: { 'label-content-name-mismatch': { enabled: true } } }),
        // Otherwise axe also describes each element that passes.
        resultTypes: ['violations'],
        preload: false,
        iframes: false,
      },
    )
    return {
      violations: violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, target, failureSummary = '' }) => ({
          rule: id,
          html,
          target: String(target),
          summary: failureSummary,
        })),
      ),
      passed: passes.length,
    }
  }, narrow)
}

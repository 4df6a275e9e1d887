/** What the server adds to the HTML of a path. */
export interface PageExtras {
  status: number
  title: string
  description: string
  /** HTML for the head. */
  head: string
  /** HTML for #root until React replaces it. */
  body: string
  headers: Record<string, string>
}

/** Returns null for a path that needs nothing. */
export type FindExtras = (path: string) => Promise<PageExtras | null>

export function withExtras(page: string, { title, description, head, body }: PageExtras): string {
  return withBody(page, body)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>\n    ${head}`)
    .replace(
      /(<meta name="description" content=)"[^"]*"/,
      (_, start: string) => `${start}"${escapeHtml(description)}"`,
    )
}

/** Puts HTML into #root until React replaces it. */
export const withBody = (page: string, body: string): string =>
  page.replace(/<div id="root">.*?<\/div>/s, () => `<div id="root">${body}</div>`)

/**
 * Adds the response of a GET at `call`, so that the page need not request it. It is data for web/api/embeddedResponse.ts, and
 * not an executable script.
 */
export function withAnswer(extras: PageExtras, call: string, answer: unknown): PageExtras {
  return { ...extras, head: `${extras.head}\n    ${embeddedAnswer(call, JSON.stringify(answer))}` }
}

/** The JSON that answers a GET, as an element. */
export function embeddedAnswer(call: string, json: string): string {
  const text = json.replace(/</g, '\\u003c')
  return `<script type="application/json" data-call="${escapeHtml(call)}">${text}</script>`
}

/** As in web/ui/Wordmark.tsx. */
export const WORDMARK = '<span class="wordmark"><b>Banger</b> <span>or</span> <i>Bust</i></span>'

/** For text and double-quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

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

/** As in web/ui/page/Wordmark.tsx. */
export const WORDMARK = '<span class="wordmark"><b>Banger</b> <span>or</span> <i>Bust</i></span>'

/** For text and double-quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

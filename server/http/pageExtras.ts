/** What a path adds to the application's page before any script runs. */
export interface PageExtras {
  status: number
  title: string
  description: string
  /** Elements for the head, as HTML. */
  head: string
  /** What stands in #root until the application takes it over, as HTML. */
  body: string
  headers: Record<string, string>
}

/** Gives null for a path that has the plain page. */
export type FindExtras = (path: string) => Promise<PageExtras | null>

export function withExtras(page: string, { title, description, head, body }: PageExtras): string {
  return page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>\n    ${head}`)
    .replace(
      /(<meta name="description" content=)"[^"]*"/,
      (_, start: string) => `${start}"${escapeHtml(description)}"`,
    )
    .replace(/<div id="root">.*?<\/div>/s, () => `<div id="root">${body}</div>`)
}

/** For text and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

/** HTML of components, which the build renders (web/app/frames.tsx). */
export interface Frames {
  /** The main screen of a listener until its code is there (screens-23). */
  discover: string
  /** A dead link, with `{title}`, `{text}` and `{home}`. */
  deadEnd: string
  wordmark: string
  /** The classes of a main button. */
  mainButton: string
}

/** For a server without pages. */
export const NO_FRAMES: Frames = {
  discover: '',
  deadEnd: '<h1>{title}</h1><p>{text}</p><a href="{home}">Go Home</a>',
  wordmark: '',
  mainButton: '',
}

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

/** Returns null for a path without extras. */
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

/** For text and double-quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

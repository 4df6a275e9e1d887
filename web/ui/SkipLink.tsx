/** The first stop of the Tab key: past the header, to the page's own content. */
export function SkipLink({ to = 'main' }: { to?: string }) {
  return (
    <a
      href={`#${to}`}
      className="fixed top-2 left-2 z-(--z-toast) -translate-y-24 rounded-control bg-ink px-4 py-3 font-semibold text-paper focus:translate-y-0"
    >
      Skip to content
    </a>
  )
}

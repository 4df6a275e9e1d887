import { type Section, sections } from './sections.ts'

/** The sections on a phone, in reach of the thumbs. */
export function BottomNav({
  section,
  onSection,
}: {
  section: Section
  onSection: (section: Section) => void
}) {
  return (
    <nav
      aria-label="Sections"
      className={`fixed inset-x-0 bottom-0 z-(--z-nav) grid h-(--nav-h) grid-cols-3 border-t border-line pb-[env(safe-area-inset-bottom)] wide:hidden ${section === 'discover' ? 'bg-[color-mix(in_oklab,var(--ink)_3%,var(--accent-wash))]' : 'bg-surface'}`}
    >
      {sections.map(({ id, short, icon: Icon }) => (
        <button
          key={id}
          type="button"
          aria-current={section === id ? 'page' : undefined}
          onClick={() => onSection(id)}
          className="relative grid place-content-center justify-items-center gap-0.5 text-2xs font-[550] text-ink-2 before:absolute before:inset-x-[28%] before:-top-px before:h-0.5 focus-visible:-outline-offset-2 aria-[current]:text-ink aria-[current]:before:bg-accent"
        >
          <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />
          {short}
        </button>
      ))}
    </nav>
  )
}

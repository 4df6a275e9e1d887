import { goTo, type Section } from '../ui/place.ts'
import { sections } from './sections.ts'

/** The sections on a phone, in reach of the thumbs. */
export function BottomNav({ section }: { section: Section }) {
  return (
    <nav
      aria-label="Sections"
      className={`bottom-nav ${section === 'discover' ? 'bg-[color-mix(in_oklab,var(--ink)_3%,var(--accent-wash))]' : 'bg-surface'}`}
    >
      {sections.map(({ id, short, icon: Icon }) => (
        <button
          key={id}
          type="button"
          aria-current={section === id ? 'page' : undefined}
          onClick={() => goTo({ section: id })}
          className="bottom-nav-section"
        >
          <Icon />
          {short}
        </button>
      ))}
    </nav>
  )
}

/** The three steps. */
export function HowItWorks() {
  return (
    <section className="mt-18">
      <h2 className="text-2xl">How It Works</h2>
      <ol className="mt-8 grid gap-4 roomy:grid-cols-3">
        {steps.map(({ title, text, color }, i) => (
          <li
            key={title}
            data-genre=""
            style={{ '--genre': color }}
            className="grid grid-cols-[3.25rem_1fr] items-start gap-3 border-t border-line pt-5 wide:gap-5"
          >
            <span
              aria-hidden="true"
              className="font-display text-[3.25rem]/[0.8] font-black text-accent font-stretch-90% wide:text-[4.5rem]/[0.8]"
            >
              {i + 1}
            </span>
            <div className="grid gap-1">
              <h3>{title}</h3>
              <p className="text-ink-2">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

const steps = [
  {
    title: 'Choose a microgenre',
    text: 'There are dozens, and one is picked for you if you cannot decide.',
    color: '#ffb000',
  },
  {
    title: 'Rate songs with keyboard shortcuts',
    text: 'Arrow left, arrow right, Space. On a phone your thumbs already know.',
    color: '#a15bd6',
  },
  {
    title: 'Build a library and export to playlists',
    text: 'Your bangers add up to a collection worth sharing.',
    color: '#2f9e4f',
  },
]

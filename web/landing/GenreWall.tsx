/** Names of microgenres, each with its own colour, width and weight. Decorative: the text says the same. */
export function GenreWall() {
  return (
    <div aria-hidden="true" className="my-10 overflow-hidden border-y border-line py-4 wide:my-18 wide:py-7">
      {rows.map(({ from, firstStyle, indent }) => (
        <p
          key={from}
          className="font-display text-[1.375rem]/[2.125rem] whitespace-nowrap wide:text-[2.125rem]/[3.25rem]"
          style={{ marginLeft: indent }}
        >
          {genres.slice(from, from + 14).map(([name, color], i) => {
            const [fontStretch, fontWeight] = fontStyles[(i + firstStyle) % fontStyles.length] ?? [
              '100%',
              700,
            ]
            return (
              <span
                key={name}
                dir="auto"
                data-genre=""
                className="mr-7 text-accent"
                style={{ '--genre': color, fontStretch, fontWeight }}
              >
                {name}
              </span>
            )
          })}
        </p>
      ))}
    </div>
  )
}

const rows = [
  { from: 0, firstStyle: 0, indent: '-2rem' },
  { from: 6, firstStyle: 5, indent: '-9rem' },
  { from: 12, firstStyle: 3, indent: '-5rem' },
]

/** Width and weight. */
const fontStyles: readonly (readonly [string, number])[] = [
  ['90%', 600],
  ['60%', 900],
  ['118%', 300],
  ['75%', 800],
  ['150%', 700],
  ['100%', 900],
  ['66%', 500],
  ['140%', 200],
]

const genres: readonly (readonly [name: string, color: string])[] = [
  ['drone', '#f3ede0'],
  ['japanese city pop', '#ff9f6e'],
  ['vaporwave', '#ff71ce'],
  ['uk garage', '#ffb000'],
  ['doom metal', '#4a2018'],
  ['future garage', '#5b6ee1'],
  ['synthwave', '#2b1bff'],
  ['space rock', '#3949ab'],
  ['chillwave', '#35b5b0'],
  ['ethio-jazz', '#1e6b45'],
  ['midwest emo', '#d9a441'],
  ['dub techno', '#4f8fa8'],
  ['math rock', '#88b04b'],
  ['bossa nova', '#8fd694'],
  ['highlife', '#f7b733'],
  ['acid house', '#f4d91e'],
  ['dub', '#2f9e4f'],
  ['krautrock', '#e8622c'],
  ['witch house', '#6b2d5c'],
  ['klezmer', '#c0392b'],
  ['dream pop', '#e78fc2'],
  ['italo disco', '#ff3b6b'],
  ['dungeon synth', '#7a6a45'],
  ['footwork', '#ff5a36'],
  ['shoegaze', '#a15bd6'],
  ['black metal', '#4a4a4d'],
]

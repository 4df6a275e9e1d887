import { Button } from '../ui/Button.tsx'
import { openDialog } from '../ui/place.ts'

/** Without bangers: the shape of the library, and the button to the player. */
export function EmptyLibrary({ onDiscover }: { onDiscover: () => void }) {
  return (
    <div className="grid justify-items-start gap-4">
      <h2 className="text-xl">No Bangers Yet</h2>
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="main" size="big" onClick={onDiscover}>
          Discover Music
        </Button>
        <Button onClick={() => openDialog('suggest')}>Suggest a song</Button>
      </div>
      <div
        aria-hidden="true"
        className="mt-6 grid w-full grid-cols-3 gap-x-3 gap-y-4 wide:grid-cols-[repeat(auto-fill,minmax(6rem,1fr))] wide:gap-3"
      >
        {places.map((place) => (
          <span
            key={place}
            className="aspect-square rounded-[4px] border border-dashed border-line-strong opacity-55"
          />
        ))}
      </div>
    </div>
  )
}

const places = Array.from({ length: 12 }, (_, i) => i)

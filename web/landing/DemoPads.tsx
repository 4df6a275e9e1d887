import { Cover } from '../ui/Cover.tsx'
import { Kbd } from '../ui/Kbd.tsx'

/** The two pads and a cover, as decoration. */
export function DemoPads() {
  return (
    <div
      aria-hidden="true"
      className="-mx-4 grid grid-cols-[4.5rem_1fr_4.5rem] gap-2 wide:mx-0 wide:h-86 wide:grid-cols-[1fr_21.5rem_1fr] wide:gap-4"
    >
      <div className={`${pad} rounded-r-pad bg-cold-pad text-cold wide:rounded-l-pad`}>
        <Kbd className={`${cap} left-6`}>←</Kbd>
        <span className="demo-bust">Bust</span>
        <span className={`${lamp} right-0 bg-cold`} />
      </div>
      <div className="aspect-square wide:aspect-auto">
        <Cover title="When the Sun Hits" color="#a15bd6" />
      </div>
      <div className={`${pad} rounded-l-pad bg-hot-pad text-hot wide:rounded-r-pad`}>
        <span className={`${lamp} left-0 bg-hot`} />
        <Kbd className={`${cap} right-6`}>→</Kbd>
        <span className="demo-banger">Banger</span>
      </div>
    </div>
  )
}

const pad = '@container-[size] relative overflow-hidden'
const cap = 'absolute top-5 h-9! min-w-9! text-base! max-wide:hidden!'
const lamp = 'absolute inset-y-4 w-[3px] rounded-[2px] opacity-85 wide:inset-y-5'

import { useState } from 'react'
import { VolumeControl } from '../playback/VolumeControl.tsx'
import { ButtonTo } from '../ui/ButtonTo.tsx'
import { focusedByPointer } from '../ui/focusOrigin.ts'
import { focusPage } from '../ui/focusPage.ts'
import { ArrowLeft } from '../ui/icons.ts'
import { Main } from '../ui/Main.tsx'
import { SkipLink } from '../ui/SkipLink.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../ui/Tabs.tsx'
import { usePageTitle } from '../ui/usePageTitle.ts'
import { Wordmark } from '../ui/Wordmark.tsx'
import { DeskCases } from './DeskCases.tsx'
import { Trail } from './Trail.tsx'
import { useDesk } from './useDesk.ts'
import './layouts.css'

type Part = 'cases' | 'trail'

/** The desk of the stewards: one case at a time, and the trail of all decisions (desk-23). */
export function DeskPage() {
  usePageTitle('The desk')
  const [part, setPart] = useState<Part>('cases')
  const desk = useDesk()
  function choose(value: string) {
    setPart(value as Part)
    // The arrows would go on choosing tabs.
    if (focusedByPointer()) requestAnimationFrame(focusPage)
  }
  return (
    <>
      <SkipLink to="desk" />
      <header className="sticky top-0 z-(--z-nav) flex tiny:static h-(--size-header-phone) items-center gap-2 bg-paper px-1 wide:h-(--size-header) wide:px-6">
        <ButtonTo to="/" variant="bare" size="tight">
          <ArrowLeft />
          Back to Discovery
        </ButtonTo>
        <Wordmark className="ml-auto text-[1.05rem] max-[26rem]:hidden" />
        <span className="max-[26rem]:ml-auto">
          <VolumeControl />
        </span>
      </header>
      <Main id="desk" className="desk">
        <h1>The desk</h1>
        <Tabs value={part} onValueChange={choose} className="mt-2">
          <TabList label="Desk">
            <Tab value="cases">{desk.waiting > 0 ? `Cases (${desk.waiting.toLocaleString()})` : 'Cases'}</Tab>
            <Tab value="trail">Trail</Tab>
          </TabList>
          <TabPanel value="cases">
            <DeskCases desk={desk} />
          </TabPanel>
          <TabPanel value="trail">
            <Trail desk={desk} />
          </TabPanel>
        </Tabs>
      </Main>
    </>
  )
}

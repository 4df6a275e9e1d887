import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { SwitchRow } from '../ui/SwitchRow.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../ui/Tabs.tsx'
import { DiagnosticSection } from './DiagnosticSection.tsx'
import { embeddingStrategies, optimizations, recommendations } from './optimizations.ts'
import { useOwnToast } from './useOwnToast.ts'

/** What the player does about failing videos. The switches are local and change nothing (diagnostics-16). */
export function OptimizationPanel() {
  const [off, setOff] = useState<readonly string[]>([])
  return (
    <DiagnosticSection title="Optimizations" words="What the player does about videos that do not play.">
      <Tabs defaultValue="options">
        <TabList label="Optimizations">
          <Tab value="options">Optimization Options</Tab>
          <Tab value="strategies">Embedding Strategies</Tab>
          <Tab value="recommendations">Recommendations</Tab>
        </TabList>
        <TabPanel value="options" className="grid gap-4">
          <Options off={off} onChange={setOff} />
        </TabPanel>
        <TabPanel value="strategies">
          <ol className="border-t border-line">
            {embeddingStrategies.map(({ name, words }, index) => (
              <li key={name} className="grid grid-cols-[1.75rem_minmax(0,1fr)] border-b border-line py-2.5">
                <span aria-hidden="true" className="font-display font-bold text-ink-3">
                  {index + 1}
                </span>
                <div>
                  <b className="font-semibold">{name}</b>
                  <span className="block text-xs text-ink-2">{words}</span>
                </div>
              </li>
            ))}
          </ol>
        </TabPanel>
        <TabPanel value="recommendations">
          <ul className="grid list-disc gap-2 pl-5">
            {recommendations.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </TabPanel>
      </Tabs>
    </DiagnosticSection>
  )
}

interface OptionsProps {
  /** The names of those that are switched off. */
  off: readonly string[]
  onChange: (off: readonly string[]) => void
}

function Options({ off, onChange }: OptionsProps) {
  const toast = useOwnToast()
  return (
    <>
      {optimizations.map(({ name, words }) => (
        <SwitchRow
          key={name}
          name={name}
          on={!off.includes(name)}
          onChange={(on) => onChange(on ? off.filter((other) => other !== name) : [...off, name])}
        >
          {words}
        </SwitchRow>
      ))}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          variant="main"
          onClick={() =>
            toast({
              title: 'Optimizations Applied',
              description: 'Enhanced YouTube player is now active with smart fallbacks',
              tone: 'success',
            })
          }
        >
          Apply Selected Optimizations
        </Button>
        <span className="text-xs text-ink-2">
          The switches have no effect outside this page. Listeners' players always use every optimization.
        </span>
      </div>
    </>
  )
}

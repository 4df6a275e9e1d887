import { useMemo, useState } from 'react'
import type { VerifiedSong } from '../../contract/diagnostics.ts'
import { LongList } from '../ui/LongList.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../ui/Tabs.tsx'
import { VerificationRow } from './VerificationRow.tsx'
import { type Outcome, outcomeOf } from './verificationRun.ts'

interface VerificationResultsProps {
  results: readonly VerifiedSong[]
  running: boolean
}

/** The results so far, all or by outcome, with counts. */
export function VerificationResults({ results, running }: VerificationResultsProps) {
  const [tab, setTab] = useState<'all' | Outcome>('all')
  const lists = useMemo(() => sortOut(results), [results])
  return (
    <Tabs value={tab} onValueChange={(value) => setTab(value as typeof tab)} className="mt-8">
      <TabList label="Results">
        {tabs.map(({ value, name }) => (
          <Tab key={value} value={value}>
            {name} ({lists[value].length.toLocaleString()})
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ value, name, empty }) => (
        <TabPanel key={value} value={value} className="-mt-5">
          {lists[value].length === 0 ? (
            <p className="pt-5 text-ink-2">
              {results.length > 0 ? empty : running ? 'Checking ...' : NOTHING}
            </p>
          ) : (
            <LongList
              label={`${name} results`}
              items={lists[value]}
              keyOf={({ songId }) => songId}
              row={(song) => <VerificationRow song={song} />}
            />
          )}
        </TabPanel>
      ))}
    </Tabs>
  )
}

const NOTHING = 'Nothing checked yet. Every song that was checked will be listed here.'

const tabs = [
  { value: 'all', name: 'All', empty: NOTHING },
  { value: 'accessible', name: 'Accessible', empty: 'No video so far can be played.' },
  { value: 'blocked', name: 'Blocked', empty: 'No video so far is blocked.' },
  { value: 'missing', name: 'Missing', empty: 'Every song so far has a video.' },
] as const

function sortOut(results: readonly VerifiedSong[]): Record<'all' | Outcome, readonly VerifiedSong[]> {
  const by: Record<Outcome, VerifiedSong[]> = { accessible: [], blocked: [], missing: [] }
  for (const result of results) by[outcomeOf(result)].push(result)
  return { all: results, ...by }
}

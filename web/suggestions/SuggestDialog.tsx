import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listSuggestions } from '../../contract/suggestions.ts'
import { query } from '../api/query.ts'
import { Dialog, type OpenState } from '../ui/Dialog.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../ui/Tabs.tsx'
import { NewSuggestion } from './NewSuggestion.tsx'
import { OwnSuggestions } from './OwnSuggestions.tsx'

/** A listener suggests a song, and sees what became of earlier suggestions (desk-24, desk-7). */
export function SuggestDialog({ open, onOpenChange }: OpenState) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Suggest a song" width="36rem" tall>
      <Parts />
    </Dialog>
  )
}

type Part = 'new' | 'own'

function Parts() {
  const [part, setPart] = useState<Part>('new')
  // Stewards decide meanwhile.
  const own = useQuery({ ...query(listSuggestions), staleTime: 0 })
  const count = own.data?.suggestions.length
  return (
    <Tabs value={part} onValueChange={(value) => setPart(value as Part)}>
      <TabList label="Suggestions">
        <Tab value="new">New</Tab>
        <Tab value="own">{count ? `Yours (${count})` : 'Yours'}</Tab>
      </TabList>
      {/* It keeps what was typed while the other part is shown. */}
      <TabPanel
        value="new"
        forceMount
        hidden={part !== 'new'}
        className="grid grid-cols-[minmax(0,1fr)] content-start gap-4"
      >
        <NewSuggestion left={own.data?.left ?? null} />
      </TabPanel>
      <TabPanel value="own">
        <OwnSuggestions own={own} />
      </TabPanel>
    </Tabs>
  )
}

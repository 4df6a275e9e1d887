import { useState } from 'react'
import { Tab, TabList, TabPanel, Tabs } from '../ui/Tabs.tsx'
import { DiagnosticSection } from './DiagnosticSection.tsx'
import { ReplacementSearch } from './ReplacementSearch.tsx'
import type { Wanted } from './SongForm.tsx'
import { SpotifySearch } from './SpotifySearch.tsx'
import { VideoCheck } from './VideoCheck.tsx'

/** Searches replacements and verifies videos (diagnostics-17). */
export function RepairTool() {
  const [tab, setTab] = useState('replacement')
  // Both searches share what was typed.
  const [wanted, setWanted] = useState<Wanted>({ artist: '', title: '' })
  const [videoId, setVideoId] = useState('')
  return (
    <DiagnosticSection
      title="Replacement and verification"
      words="Another video for a song, its track at Spotify, and whether a video may be embedded."
    >
      <Tabs value={tab} onValueChange={setTab}>
        <TabList label="Replacement and verification">
          <Tab value="replacement">YouTube Replacement</Tab>
          <Tab value="spotify">Spotify Search</Tab>
          <Tab value="verify">Verify Video</Tab>
        </TabList>
        <TabPanel value="replacement" className="grid gap-5">
          <ReplacementSearch
            wanted={wanted}
            onChange={setWanted}
            onVerify={(found) => {
              setVideoId(found)
              setTab('verify')
            }}
          />
        </TabPanel>
        <TabPanel value="spotify" className="grid gap-5">
          <SpotifySearch wanted={wanted} onChange={setWanted} />
        </TabPanel>
        <TabPanel value="verify" className="grid gap-5">
          <VideoCheck videoId={videoId} onChange={setVideoId} />
        </TabPanel>
      </Tabs>
    </DiagnosticSection>
  )
}

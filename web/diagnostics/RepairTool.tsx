import { type ReactNode, useState } from 'react'
import {
  findReplacement,
  type Replacement,
  type SpotifyTrack,
  searchSpotify,
  verifyVideo,
} from '../../contract/diagnostics.ts'
import type { ResponseOf } from '../../contract/endpoint.ts'
import { call } from '../api/call.ts'
import { AlbumArt } from '../ui/art/AlbumArt.tsx'
import { Button, buttonClasses } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { Form } from '../ui/controls/Form.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../ui/controls/Tabs.tsx'
import { ExternalLink } from '../ui/icons.tsx'
import { Search, ShieldCheck } from '../ui/laterIcons.ts'
import { DiagnosticSection, Fact, Facts, MatchBadge, Tag } from './DiagnosticFrame.tsx'
import { useScopedToast, useTool } from './useTool.ts'

/** Searches replacements and verifies videos (diagnostics-17, diagnostics-18). */
export function RepairTool() {
  const [tab, setTab] = useState('replacement')
  // Both searches share what was typed.
  const [songQuery, setSongQuery] = useState<SongQuery>({ artist: '', title: '' })
  const [videoId, setVideoId] = useState('')
  const verify = (found: string) => {
    setVideoId(found)
    setTab('verify')
  }
  return (
    <DiagnosticSection
      title="Replacement and verification"
      description="Another video for a song, its track at Spotify, and whether a video may be embedded."
    >
      <Tabs value={tab} onValueChange={setTab}>
        <TabList label="Replacement and verification">
          <Tab value="replacement">YouTube Replacement</Tab>
          <Tab value="spotify">Spotify Search</Tab>
          <Tab value="verify">Verify Video</Tab>
        </TabList>
        <TabPanel value="replacement" className="grid gap-5">
          <SongSearch
            songQuery={songQuery}
            onChange={setSongQuery}
            action="Find Replacement"
            search={async (body) => {
              const { success, replacement, message } = await call(findReplacement, { body })
              return { found: success ? replacement : null, message }
            }}
            notFoundTitle="No Replacement Found"
            failure={{ title: 'Search Failed', what: 'Search failed' }}
          >
            {(replacement) => <FoundVideo replacement={replacement} onVerify={verify} />}
          </SongSearch>
        </TabPanel>
        <TabPanel value="spotify" className="grid gap-5">
          <SongSearch
            songQuery={songQuery}
            onChange={setSongQuery}
            action="Search Spotify"
            search={async (query) => {
              const { success, result, message } = await call(searchSpotify, { query })
              return { found: success ? result : null, message }
            }}
            notFoundTitle="No Spotify Track Found"
            failure={{ title: 'Spotify Search Failed', what: 'Spotify search failed' }}
          >
            {(track) => <FoundTrack track={track} />}
          </SongSearch>
        </TabPanel>
        <TabPanel value="verify" className="grid gap-5">
          <VideoCheck videoId={videoId} onChange={setVideoId} />
        </TabPanel>
      </Tabs>
    </DiagnosticSection>
  )
}

interface SongQuery {
  artist: string
  title: string
}

interface SongSearchProps<T> {
  songQuery: SongQuery
  onChange: (songQuery: SongQuery) => void
  action: string
  /** Returns null, with the server's reason, when nothing was found. */
  search: (songQuery: SongQuery) => Promise<{ found: T | null; message: string | null }>
  notFoundTitle: string
  /** The toast of a failed search: title, and text before the status (diagnostics-20). */
  failure: { title: string; what: string }
  children: (found: T) => ReactNode
}

/** A form for artist and title (diagnostics-17), with the result or the reason why there is none (diagnostics-19). */
function SongSearch<T>({
  songQuery,
  onChange,
  search,
  action,
  notFoundTitle,
  failure,
  children,
}: SongSearchProps<T>) {
  const toast = useScopedToast()
  const { mutate, isPending, data } = useTool({ mutationFn: search, failure })
  function submit() {
    const trimmed = { artist: songQuery.artist.trim(), title: songQuery.title.trim() }
    if (trimmed.artist && trimmed.title) return mutate(trimmed)
    toast({ title: 'Missing Information', description: 'Please enter both artist and title', tone: 'error' })
  }
  return (
    <>
      <Form noValidate onSubmit={submit} className="grid items-end gap-3 wide:grid-cols-2">
        {(['artist', 'title'] as const).map((name) => (
          <Field
            key={name}
            label={name === 'artist' ? 'Artist' : 'Title'}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={songQuery[name]}
            onChange={(value) => onChange({ ...songQuery, [name]: value })}
          />
        ))}
        <Button type="submit" variant="main" className="justify-self-start" disabled={isPending}>
          <Search />
          {isPending ? 'Searching ...' : action}
        </Button>
      </Form>
      <div aria-live="polite" className="empty:hidden">
        {data?.found && children(data.found)}
        {data && !data.found && (
          <div className="border-y border-line py-3">
            <p className="font-semibold">{notFoundTitle}</p>
            {data.message && <p className="text-ink-2">{data.message}</p>}
          </div>
        )}
      </div>
    </>
  )
}

function FoundVideo({
  replacement,
  onVerify,
}: {
  replacement: Replacement
  onVerify: (videoId: string) => void
}) {
  const { videoId, title, channelTitle, matchScore, embeddable } = replacement
  return (
    <div className="grid gap-3">
      <Facts>
        <Fact name="Video">
          <b className="font-semibold">{title}</b>
        </Fact>
        <Fact name="Channel">{channelTitle}</Fact>
        <Fact name="Video ID">
          <code>{videoId}</code>
        </Fact>
        <Fact name="Match">
          <MatchBadge score={matchScore} />
        </Fact>
        <Fact name="Embedding">
          <Tag tone={embeddable ? 'good' : 'poor'}>{embeddable ? 'Embeddable' : 'Not embeddable'}</Tag>
        </Fact>
      </Facts>
      <Button className="justify-self-start" onClick={() => onVerify(videoId)}>
        Verify this video
      </Button>
    </div>
  )
}

function FoundTrack({ track }: { track: SpotifyTrack }) {
  const { name, artists, album, popularity, matchScore, hasPreview, previewUrl, albumArt, spotifyUrl } = track
  return (
    <div className="grid gap-4">
      <div className="flex items-center gap-4">
        <span className="block size-16 flex-none">
          <AlbumArt title={name} art={albumArt} color="#1db954" />
        </span>
        <div className="grid min-w-0">
          <b dir="auto" className="text-left font-semibold wrap-anywhere">
            {name}
          </b>
          <span dir="auto" className="text-left text-ink-2 wrap-anywhere">
            {artists.join(', ')}
          </span>
        </div>
      </div>
      <Facts>
        <Fact name="Album">{album}</Fact>
        <Fact name="Match">
          <MatchBadge score={matchScore} />
        </Fact>
        <Fact name="Popularity">
          {popularity === null ? 'not available to this application' : `${popularity}/100`}
        </Fact>
        <Fact name="Preview">
          <span className="flex flex-wrap items-center gap-2">
            <Tag tone={hasPreview ? 'good' : 'poor'}>{hasPreview ? 'Has a preview' : 'No preview'}</Tag>
            {previewUrl && isWebAddress(previewUrl) && (
              <a href={previewUrl} target="_blank" rel="noopener noreferrer" className="text-xs underline">
                {previewUrl}
              </a>
            )}
          </span>
        </Fact>
      </Facts>
      {isWebAddress(spotifyUrl) && (
        <a
          href={spotifyUrl}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClasses({ className: 'justify-self-start' })}
        >
          <ExternalLink />
          Open in Spotify
        </a>
      )}
    </div>
  )
}

const isWebAddress = (address: string) => /^https?:\/\//i.test(address)

/** Whether a video may be embedded, by every strategy (diagnostics-18). */
function VideoCheck({ videoId, onChange }: { videoId: string; onChange: (videoId: string) => void }) {
  const toast = useScopedToast()
  const check = useTool({
    mutationFn: (id: string) =>
      call(verifyVideo, { params: { videoId: id }, query: { strategy: 'enhanced' } }),
    failure: { title: 'Verification Failed', what: 'Verification failed' },
  })

  function submit() {
    const id = videoId.trim()
    if (id) return check.mutate(id)
    toast({ title: 'Missing Video ID', description: 'Please enter a YouTube video ID', tone: 'error' })
  }

  return (
    <>
      <Form noValidate onSubmit={submit} className="grid items-end gap-3 wide:grid-cols-[minmax(0,1fr)_auto]">
        <Field
          label="Video ID"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={videoId}
          onChange={onChange}
        />
        <Button
          type="submit"
          variant="main"
          className="min-h-12 justify-self-start"
          disabled={check.isPending}
        >
          <ShieldCheck />
          {check.isPending ? 'Verifying ...' : 'Verify Video'}
        </Button>
      </Form>
      <div aria-live="polite" className="empty:hidden">
        {check.data && <Verdict verification={check.data} videoId={check.variables ?? ''} />}
      </div>
    </>
  )
}

function Verdict({
  verification,
  videoId,
}: {
  verification: ResponseOf<typeof verifyVideo>
  videoId: string
}) {
  const { embeddable, accessible, error, strategies } = verification
  return (
    <div className="grid gap-3">
      <div>
        <p className={`font-semibold ${embeddable ? 'text-success' : 'text-danger'}`}>
          {embeddable ? 'Video Can be Embedded' : 'Video Cannot be Embedded'}
        </p>
        <p className="text-ink-2">
          {embeddable ? videoId : (error ?? `Status: ${accessible ? 'Accessible' : 'Not accessible'}`)}
        </p>
      </div>
      <ul aria-label="Strategies" className="border-t border-line">
        {strategies.map(({ name, success, detail }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2">
            <span className="min-w-0 flex-1 wrap-anywhere">
              {name}
              {detail && <span className="block text-xs text-ink-2">{detail}</span>}
            </span>
            <Tag tone={success ? 'good' : 'poor'}>{success ? 'Success' : 'Failed'}</Tag>
          </li>
        ))}
      </ul>
    </div>
  )
}

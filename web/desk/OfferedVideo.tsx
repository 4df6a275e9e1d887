import type { DeskCase } from '../../contract/desk.ts'
import { formatTime } from '../playback/formatTime.ts'
import { doubtWords, fitWords, sourceWords } from './deskWords.ts'

/** What tells whether a video is the song's (desk-25). */
export function OfferedVideo({ video }: { video: NonNullable<DeskCase['video']> }) {
  const { videoTitle, channel, videoMs, songMs, source, score, doubt } = video
  return (
    <div className="grid gap-1">
      <h3 dir="auto" className="text-left wrap-anywhere">
        {videoTitle}
      </h3>
      <p className="wrap-anywhere text-ink-2">
        <bdi>{channel ?? 'An unknown channel'}</bdi> · {lengthWords(videoMs, songMs)}
      </p>
      <p>{fitWords(score)}</p>
      <p className="text-ink-2">
        Found by {sourceWords[source]}. {doubtWords[doubt]}
      </p>
    </div>
  )
}

function lengthWords(videoMs: number | null, songMs: number | null): string {
  const video = videoMs === null ? 'length unknown' : formatTime(videoMs / 1000)
  return songMs === null ? video : `${video}, the song ${formatTime(songMs / 1000)}`
}

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeSong } from '../../tests/makeSong.ts'
import { createPlaybackEngine } from './playbackEngine.ts'
import type { Signal, Source } from './player.ts'
import { createQueueControls, type QueueControls } from './queueControls.ts'
import { emptyQueue } from './queueState.ts'

/* The queue with the real playback machine and a player that tests control. */

const songs = ['1', '2', '3', '4', '5', '6', '7'].map((id) => makeSong(id))
const video = (id: string) => makeSong(id, { youtubeId: id.padEnd(11, '_') })

let page: EventTarget & { hidden: boolean }

beforeEach(() => {
  vi.useFakeTimers()
  page = Object.assign(new EventTarget(), { hidden: false, querySelector: () => null })
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('navigator', {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a queue and playback', () => {
  it('playback-40: plays the next song when one has ended, and stays with the last', async () => {
    const { queue, player, current } = await start(songs.slice(0, 2))
    await player.play()
    await player.end()
    expect(current()).toBe('2')
    await player.play()
    await player.end()
    expect(current()).toBe('2')
    expect(queue.getState()).toMatchObject({ at: 1, turn: 'queue' })
  })

  it('playback-43: goes past songs without sound, and stops after five with the first of them current', async () => {
    const { queue, player, current, phase } = await start(songs)
    await player.play()
    await player.end()
    for (const expected of ['2', '3', '4', '5', '6']) {
      expect(current()).toBe(expected)
      await player.signal({ type: 'unavailable' })
    }
    expect([current(), phase()]).toEqual(['2', 'paused'])
    expect(queue.getState()).toMatchObject({ at: 1, failures: 0 })
  })

  it('playback-43: skips a preview that stands still for 15 s, but not one that advances or is paused', async () => {
    const { player, current, playback } = await start(songs)
    await player.play()
    for (let n = 0; n < 30; n++) {
      player.seconds += 1
      vi.advanceTimersByTime(1000)
    }
    expect(current()).toBe('1')
    vi.advanceTimersByTime(21_000)
    expect(current()).toBe('2')
    await player.play()
    playback.send({ type: 'pause' })
    await player.signal({ type: 'state', state: 'paused' })
    vi.advanceTimersByTime(60_000)
    expect(current()).toBe('2')
  })

  it('playback-42: waits beside Discover and goes on at the same second', async () => {
    const { queue, player, playback, current } = await start(songs)
    await player.play()
    player.seconds = 12
    queue.enterDiscover()
    expect(queue.takesPrecedence()).toBe(false)
    playback.send({ type: 'load', song: makeSong('90') })
    queue.pauseOnDiscover()
    await player.play()
    await player.end()
    expect(current()).toBe('90')
    queue.leaveDiscover()
    expect(current()).toBe('1')
    expect(queue.takesPrecedence(makeSong('91'))).toBe(true)
    await player.play()
    expect(player.seconds).toBe(12)
  })

  it('playback-42: is paused on Discover where nothing took over', async () => {
    const { queue, player, phase } = await start(songs)
    await player.play()
    queue.enterDiscover()
    queue.pauseOnDiscover()
    expect(phase()).toBe('pausing')
  })

  it('playback-45: while the page is hidden it plays the preview of a video, and waits where there is none', async () => {
    const { player, current, phase, opened } = await start([video('1'), video('2'), video('3')])
    await player.play()
    page.hidden = true
    page.dispatchEvent(new Event('visibilitychange'))
    await player.end()
    expect(current()).toBe('2')
    expect(opened().at(-1)).toMatchObject({ kind: 'preview' })
    await player.play()
    await player.end()
    await player.signal({ type: 'unavailable' })
    expect([current(), phase()]).toEqual(['3', 'silent'])
    page.hidden = false
    page.dispatchEvent(new Event('visibilitychange'))
    expect(opened().at(-1)).toMatchObject({ kind: 'video', videoId: '3__________' })
    expect(opened().filter(({ kind }) => kind === 'video')).toHaveLength(2)
  })

  it('playback-45: a video that is about to start when the page is hidden becomes its preview', async () => {
    const { opened } = await start([video('1'), video('2')])
    expect(opened().at(-1)).toMatchObject({ kind: 'video' })
    page.hidden = true
    page.dispatchEvent(new Event('visibilitychange'))
    expect(opened().at(-1)).toMatchObject({ kind: 'preview' })
  })

  it('playback-45: keeps its place when a song ended that the browser played only muted', async () => {
    const { player, current } = await start([video('1'), video('2')])
    await player.signal({ type: 'blocked' })
    await player.play()
    await player.end()
    expect(current()).toBe('1')
  })

  it('playback-44: a stored queue defers the song of Discover until it is restored, which plays without one', async () => {
    const { queue, playback, current } = await open()
    expect([queue.startRestore(), queue.startRestore()]).toEqual([true, false])
    expect(queue.takesPrecedence(makeSong('90'))).toBe(true)
    queue.endRestore()
    expect(current()).toBe('90')
    expect(playback.getState().phase).toBe('loading')
  })

  it('playback-42: a list that arrives when Discover is on screen again starts nothing', async () => {
    const { queue, playback, current } = await open()
    playback.send({ type: 'load', song: makeSong('90') })
    queue.enterDiscover()
    queue.send({ type: 'start', songs })
    expect(current()).toBe('90')
    expect(queue.getState().songs).toEqual([])
  })

  it('playback-43: stops after five songs that say they play, but stand still', async () => {
    const { player, current, phase } = await start(songs)
    for (const expected of ['1', '2', '3', '4', '5']) {
      expect(current()).toBe(expected)
      await player.play()
      await vi.advanceTimersByTimeAsync(25_000)
    }
    expect([current(), phase()]).toEqual(['1', 'paused'])
  })

  it('playback-43: a song that advances begins the count of five anew', async () => {
    const { queue, player } = await start(songs)
    for (let n = 0; n < 4; n++) await player.signal({ type: 'unavailable' })
    await player.play()
    for (let n = 0; n < 2; n++) {
      player.seconds += 5
      await vi.advanceTimersByTimeAsync(5000)
    }
    expect(queue.getState()).toMatchObject({ at: 4, failures: 0 })
  })

  it('playback-43: a song that was paused before it proved silent stays current', async () => {
    const { player, playback, current, phase } = await start(songs)
    playback.send({ type: 'pause' })
    await player.signal({ type: 'unavailable' })
    expect([current(), phase()]).toEqual(['1', 'silent'])
  })

  it('playback-44: a song chosen while the stored queue is on its way plays on, and the queue waits', async () => {
    const { queue, playback, current } = await open()
    queue.startRestore()
    expect(queue.takesPrecedence(makeSong('90'))).toBe(true)
    playback.send({ type: 'load', song: makeSong('50') })
    queue.restore({ ...emptyQueue, songs, turn: 'queue', shouldResume: true })
    queue.endRestore()
    expect(current()).toBe('50')
    expect(queue.getState()).toMatchObject({ turn: 'waiting', songs })
  })

  it('playback-62: the song that waited for a stored queue begins at the hook', async () => {
    const { queue, opened } = await open()
    queue.startRestore()
    expect(queue.takesPrecedence(video('1'), 40)).toBe(true)
    queue.endRestore()
    expect(opened()).toMatchObject([{ kind: 'video', start: 40 }])
  })

  it('playback-44: without a queue yet, the stored one is not removed', async () => {
    const removeItem = vi.fn()
    vi.stubGlobal('sessionStorage', { removeItem, setItem: vi.fn() })
    const { queue } = await open()
    window.dispatchEvent(new Event('pagehide'))
    expect(removeItem).not.toHaveBeenCalled()
    queue.send({ type: 'start', songs })
    queue.send({ type: 'clear' })
    window.dispatchEvent(new Event('pagehide'))
    expect(removeItem).toHaveBeenCalled()
  })

  it('playback-45: a preview that proves missing once the page is shown gives way to the video', async () => {
    const { player, opened } = await start([video('1'), video('2')])
    await player.play()
    page.hidden = true
    page.dispatchEvent(new Event('visibilitychange'))
    await player.end()
    page.hidden = false
    page.dispatchEvent(new Event('visibilitychange'))
    await player.signal({ type: 'unavailable' })
    expect(opened().at(-1)).toMatchObject({ kind: 'video', videoId: '2__________' })
  })

  it('playback-41: the last song that is removed leaves nothing', async () => {
    const { queue, playback } = await start(songs.slice(0, 1))
    queue.send({ type: 'remove', id: '1' })
    expect(playback.getState()).toMatchObject({ song: null, phase: 'stopped' })
    expect(queue.takesPrecedence()).toBe(false)
  })
})

async function start(list: typeof songs) {
  const all = await open()
  all.playback.send({ type: 'gesture' })
  all.queue.send({ type: 'start', songs: list })
  return all
}

async function open() {
  const sources: Source[] = []
  let onSignal: (signal: Signal) => void = () => {}
  const player = {
    seconds: 0,
    async signal(signal: Signal) {
      onSignal(signal)
      await Promise.resolve()
    },
    async play() {
      await player.signal({ type: 'ready' })
      await player.signal({ type: 'state', state: 'playing' })
    },
    end: () => player.signal({ type: 'state', state: 'ended' }),
  }
  const playback = createPlaybackEngine(
    (source, _, callback) => {
      sources.push(source)
      onSignal = callback
      player.seconds = 0
      const nothing = () => {}
      return {
        play: nothing,
        pause: nothing,
        mute: nothing,
        unmute: nothing,
        setVolume: nothing,
        seek: (seconds) => {
          player.seconds = seconds
        },
        position: () => player.seconds,
        duration: () => 30,
        destroy: nothing,
      }
    },
    () => {},
    () => {},
    { volume: 80, muted: false },
  )
  playback.setSlot({} as HTMLElement)
  const queue: QueueControls = createQueueControls(playback)
  await queue.preload()
  return {
    playback,
    queue,
    player,
    opened: () => sources,
    current: () => playback.getState().song?.id,
    phase: () => playback.getState().phase,
  }
}

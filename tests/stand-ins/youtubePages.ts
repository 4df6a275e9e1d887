/* The two halves of the stand-in player. They communicate by postMessage, like the real ones. */

/** The content of /iframe_api: the documented part of window.YT. */
export const iframeApi = `(() => {
  let calls = 0
  class Player {
    constructor(target, { videoId, host = 'https://www.youtube.com', width, height, playerVars = {}, events = {} } = {}) {
      const element = typeof target === 'string' ? document.getElementById(target) : target
      const iframe = document.createElement('iframe')
      const query = new URLSearchParams({ ...playerVars, enablejsapi: 1 })
      iframe.src = host + '/embed/' + videoId + '?' + query
      iframe.title = 'YouTube video player'
      iframe.allow = 'autoplay; encrypted-media; picture-in-picture'
      iframe.referrerPolicy = 'strict-origin-when-cross-origin'
      if (width) iframe.width = width
      if (height) iframe.height = height
      element.replaceWith(iframe)
      let info = { state: -1, time: 0, duration: 0, muted: false, volume: 100 }
      const emit = (name, data) => events[name]?.({ target: this, data })
      const hear = (event) => {
        if (event.source !== iframe.contentWindow) return
        const { type, data } = event.data
        if (type === 'info') info = data
        if (type === 'ready') { attach(); emit('onReady', null) }
        if (type === 'state') { info.state = data; emit('onStateChange', data) }
        if (type === 'error') emit('onError', data)
      }
      addEventListener('message', hear)
      // Like the real one: no commands before it is ready.
      const attach = () => {
        const command = (name) => (...args) => { iframe.contentWindow?.postMessage({ name, args, at: Date.now(), number: ++calls }, '*') }
        for (const name of ['playVideo', 'pauseVideo', 'stopVideo', 'mute', 'unMute', 'setVolume', 'seekTo', 'cueVideoById', 'loadVideoById']) this[name] = command(name)
        this.getCurrentTime = () => info.time
        this.getDuration = () => info.duration
        this.getPlayerState = () => info.state
        this.isMuted = () => info.muted
        this.getVolume = () => info.volume
      }
      this.getIframe = () => iframe
      this.destroy = () => { removeEventListener('message', hear); iframe.remove() }
    }
  }
  window.YT = { Player, PlayerState: { UNSTARTED: -1, ENDED: 0, PLAYING: 1, PAUSED: 2, BUFFERING: 3, CUED: 5 } }
  queueMicrotask(() => window.onYouTubeIframeAPIReady?.())
})()`

export interface Simulation {
  videoId: string
  /** Milliseconds, or never. */
  ready: number | 'never'
  /** Seconds. */
  duration: number
  /** The start that the page asked for, in seconds. */
  start: number
  /** Milliseconds. */
  buffering: number
  refusesSound: boolean
  error: number | null
}

/** The content of /embed/:id: a video that is only a clock. */
export function embedPage(simulation: Simulation): string {
  return `<!doctype html><meta charset="utf-8"><title>${simulation.videoId}</title>
<style>html{background:#14252b;color:#fff;font:500 14px/18px system-ui;height:100%}body{margin:10px 12px}i{position:fixed;left:0;bottom:0;height:4px;background:#f03}</style>
<p>${simulation.videoId}</p><i></i>
<script>
let video = ${JSON.stringify(simulation)}
let state = -1, time = 0, muted = false, volume = 100, since = 0, starting
const tell = (type, data) => parent.postMessage({ type, data }, '*')
const now = () => state === 1 ? Math.min(video.duration, time + (Date.now() - since) / 1000) : time
const info = () => {
  document.querySelector('i').style.width = 100 * now() / video.duration + '%'
  tell('info', { state, time: now(), duration: state === -1 || state === 5 ? 0 : video.duration, muted, volume })
}
const change = (next) => {
  time = now(); since = Date.now(); state = next
  info(); tell('state', next)
}
const cue = () => { time = video.start; video.error === null ? change(5) : tell('error', video.error) }
const commands = {
  playVideo() {
    if (video.error !== null) return tell('error', video.error)
    if (state === 1 || state === 3) return
    if (state === 0) time = 0
    change(3)
    // A start beyond its end ends it at once.
    starting = setTimeout(() => change(time < video.duration ? 1 : 0), video.buffering)
  },
  pauseVideo() { clearTimeout(starting); if (state === 1 || state === 3) change(2) },
  stopVideo() { clearTimeout(starting); change(5) },
  mute() { muted = true },
  unMute() {
    muted = false
    if (video.refusesSound && state === 1) { video.refusesSound = false; change(2) }
  },
  setVolume(value) { volume = value },
  seekTo(value) {
    time = value; since = Date.now()
    if (state === 0) { state = 2; commands.playVideo() }
  },
  async cueVideoById(id) {
    clearTimeout(starting); change(-1)
    video = await (await fetch('/cue/' + (id.videoId ?? id) + '?start=' + (id.startSeconds ?? 0))).json()
    cue()
  },
  async loadVideoById(id) { await commands.cueVideoById(id); commands.playVideo() },
}
let queue = Promise.resolve()
addEventListener('message', ({ data: { name, args, at, number } }) => {
  navigator.sendBeacon('/called', JSON.stringify({ videoId: video.videoId, name, args, at, number }))
  queue = queue.then(() => commands[name]?.(...args)).then(info)
})
setInterval(() => {
  if (state === 1 && now() >= video.duration) change(0)
  info()
}, 100)
if (video.ready !== 'never') setTimeout(() => { tell('ready'); cue() }, video.ready)
</script>`
}

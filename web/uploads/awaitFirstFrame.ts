/** Resolves when the camera in `place` has its first frame, or is gone: before that a snapshot would be empty. */
export async function awaitFirstFrame(place: HTMLElement): Promise<void> {
  const video = place.querySelector('video')
  while (video?.isConnected && video.videoWidth === 0)
    await new Promise((resolve) => requestAnimationFrame(resolve))
}

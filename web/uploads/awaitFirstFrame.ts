/** Resolves when the camera shown in `place` has given its first picture, or is gone: before that a snapshot is empty. */
export async function awaitFirstFrame(place: HTMLElement): Promise<void> {
  const video = place.querySelector('video')
  while (video?.isConnected && video.videoWidth === 0)
    await new Promise((resolve) => requestAnimationFrame(resolve))
}

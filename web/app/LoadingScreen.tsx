/** While authentication or a page is loading (screens-1). */
export function LoadingScreen() {
  return (
    <main className="grid min-h-svh place-content-center">
      <p
        role="status"
        className="font-display text-lg font-semibold text-ink-2 font-stretch-(--width-heading)"
      >
        Loading...
      </p>
    </main>
  )
}

/** Corrects accessibility attributes of Uppy's dashboard after each render. Returns a function that stops it. */
export function nameParts(dashboard: HTMLElement): () => void {
  const repair = () => {
    for (const { selector, set = {}, without = [] } of repairs)
      for (const element of dashboard.querySelectorAll(selector)) {
        for (const [name, value] of Object.entries(set))
          if (element.getAttribute(name) !== value) element.setAttribute(name, value)
        for (const name of without) element.removeAttribute(name)
      }
  }
  const observer = new MutationObserver(repair)
  observer.observe(dashboard, { childList: true, subtree: true })
  repair()
  return () => observer.disconnect()
}

const repairs: { selector: string; set?: Record<string, string>; without?: string[] }[] = [
  // A name needs a role.
  { selector: '.uppy-Dashboard', set: { role: 'group' } },
  // The list has its role only with more than one file.
  { selector: '.uppy-Dashboard-files', set: { role: 'list' } },
  // Buttons that open something are not tabs.
  { selector: '.uppy-Dashboard-AddFiles-list', set: { role: 'group', 'aria-label': 'Where from' } },
  {
    selector: '.uppy-DashboardTab-btn',
    set: { role: 'button' },
    without: ['aria-selected', 'aria-controls'],
  },
]

import { type ComponentProps, Suspense } from 'react'
import { lazyComponent } from '../ui/lazyComponent.tsx'
import type { ReportButton } from './ReportButton.tsx'

const Button = lazyComponent(async () => (await import('./ReportButton.tsx')).ReportButton)

/** The button that reports, which loads after the page that has it. */
export function LazyReportButton(props: ComponentProps<typeof ReportButton>) {
  return (
    <Suspense>
      <Button {...props} />
    </Suspense>
  )
}

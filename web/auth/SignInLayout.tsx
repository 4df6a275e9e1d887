import type { ReactNode } from 'react'
import { config } from '../api/config.ts'
import { sampleCovers } from '../landing/sampleCovers.ts'
import { Cover } from '../ui/art/Cover.tsx'
import { Main } from '../ui/page/Main.tsx'
import { Wordmark } from '../ui/page/Wordmark.tsx'

/** Layout of the sign-in screens: content beside a wall of covers (above it on a phone). */
export function SignInLayout({ backLink, children }: { backLink?: ReactNode; children: ReactNode }) {
  return (
    <div className="grid min-h-svh grid-cols-[minmax(0,1fr)] content-start roomy:grid-cols-[minmax(28rem,5fr)_7fr] roomy:content-stretch">
      <Main className="flex flex-col px-4 pt-3 pb-6 wide:px-6 roomy:px-14 roomy:pt-6 roomy:pb-10 max-roomy:order-2">
        {backLink}
        <div
          className={`grid w-full gap-4 wide:mx-auto wide:max-w-100 wide:gap-5 roomy:ml-0 ${backLink ? 'mt-5 roomy:my-auto' : 'my-auto'}`}
        >
          {children}
        </div>
      </Main>
      <div
        aria-hidden="true"
        className="sign-in-covers grid content-start gap-[3px] overflow-hidden bg-raised max-roomy:grid-cols-6 roomy:sticky roomy:top-0 roomy:h-svh roomy:grid-cols-4 roomy:gap-1.5 roomy:p-1.5 wide:max-roomy:grid-cols-12 max-roomy:[&>:nth-child(n+13)]:hidden"
      >
        {sampleCovers.map(({ title, color }) => (
          <span key={title} className="aspect-square">
            <Cover title={title} color={color} />
          </span>
        ))}
      </div>
    </div>
  )
}

/** Wordmark, heading, and who can sign in while registration is not open (signin-16, signin-19). */
export function SignInHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="grid gap-3">
      <Wordmark className="py-3 text-[1.5rem]" />
      <h1 className="text-xl wide:text-xl">{title}</h1>
      {children}
      {config.isClosed && (
        <p className="text-ink-2">Only people with an account or an invitation can sign in.</p>
      )}
    </div>
  )
}

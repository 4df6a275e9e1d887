import { DiagnosticSection } from './DiagnosticSection.tsx'

/** Account creation in five steps (diagnostics-11). */
export function AccountSteps() {
  return (
    <DiagnosticSection title="How an account is made" className="desk:col-span-2">
      <ol className="grid gap-x-6 border-line max-wide:border-t wide:grid-cols-5">
        {steps.map(({ name, words }, index) => (
          <li key={name} className="account-step">
            <span aria-hidden="true" className="font-display font-bold text-ink-3">
              {index + 1}
            </span>
            <div className="grid gap-0.5">
              <b className="font-semibold">{name}</b>
              <span className="text-xs text-ink-2">{words}</span>
            </div>
          </li>
        ))}
      </ol>
    </DiagnosticSection>
  )
}

const steps = [
  {
    name: 'Login redirect',
    words: 'The browser goes to the login endpoint, and on to the provider.',
  },
  {
    name: 'Provider authentication',
    words: 'The provider authenticates the person; this server never sees a password.',
  },
  { name: 'Callback', words: 'The provider sends the browser back, with a code that works once.' },
  {
    name: 'User record created or updated',
    words: 'A new person gets an account; a known one keeps theirs.',
  },
  { name: 'Access granted', words: 'A session starts, and the user endpoint returns the account.' },
]

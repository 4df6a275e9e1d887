import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { toast } from './testSongs.ts'

test.beforeEach(({ page }) => page.goto('/privacy'))

/** The text between a heading and the next one. */
const part = (page: Page, title: string) =>
  page.getByRole('heading', { level: 2, name: title, exact: true }).locator('..')

test('screens-9, people-18, people-25: the policy is complete, and a message without a contact reaches the operator', async ({
  page,
  app,
}) => {
  await expect(page.getByText('Last updated January 2025')).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Information collected',
    'Use',
    'Security',
    'Third-party services',
    'User rights',
    'Contact',
  ])
  const collected = part(page, 'Information collected')
  await expect(collected.getByRole('list').first().getByRole('listitem')).toHaveText([
    /e-mail/,
    /ratings/,
    /listening progress/,
    /basic profile from social sign-in/,
  ])
  await expect(collected.getByRole('list', { name: 'Also collected' }).getByRole('listitem')).toHaveText([
    /bio, photo and settings.*follow.*collections, mixes.*questionnaire.*messages/,
    /files that you bring.*Nothing else/,
    /put off or let go.*when/,
    /achievements, statistics/,
    /blind round, until you stop.*name that they typed/,
    /invitation that you joined with/,
    /devices and sessions.*browser and system.*when/,
    /passkeys.*public keys.*when/,
    /ListenBrainz.*your token, encrypted/,
    /tokens for programs.*last used/,
    /suggested or voted for/,
    /reported as wrong or harmful/,
    /Playback reports/,
    /decided about your account/,
    /network address/,
  ])
  await expect(collected.getByRole('list', { name: 'How long' }).getByRole('listitem')).toHaveText([
    /session.*30 days/,
    /token for programs.*revoke/,
    /magic link.*a day/,
    /bio or photo.*taken down.*30 days/,
    /counts of calls.*a day/,
    /file.*a day/,
    /file that you bring.*30 days/,
    /message to the operator.*rejected suggestion.*a year/,
    /report.*two years/,
  ])
  await expect(collected).toContainText('without an account stays in your browser')
  await expect(collected).toContainText('kept as long as your account exists')
  await expect(part(page, 'Use').getByRole('paragraph')).toHaveText(/ratings choose the next song/)
  await expect(part(page, 'Security')).toContainText('magic link')
  await expect(part(page, 'Security')).toContainText('No passwords are stored.')
  await expect(part(page, 'Third-party services').getByRole('listitem')).toHaveText([
    /video provider.*host, also on pages where nothing plays/,
    /music provider.*Covers are copied once/,
    /hosts of whole recordings.*archive\.org/,
    /E-mail delivery/,
    /Replit-based auth/,
    /Hear it elsewhere.*only when you press a link/,
    /ListenBrainz.*if you link your account/,
    /Dropbox/,
  ])
  await expect(part(page, 'User rights').getByRole('listitem')).toHaveText([
    /Access.*Download my data/,
    /Delete your account.*suggestions, reports, sign-ins, tokens, picture and files.*remains.*mailed.*backups/,
    /Remove a song.*For a week/,
    /Opt out of e-mails/,
    /Download your ratings/,
  ])

  const contact = part(page, 'Contact')
  const message = `Delete my photo, please. ${Date.now()}`
  await expect(contact).toContainText(
    `Whoever runs this service at ${new URL(app.url).host} has not given a name.`,
  )
  const send = contact.getByRole('button', { name: 'Send message' })
  await expect(send).toBeDisabled()
  await contact.getByLabel('Email').fill('visitor@example.org')
  await contact.getByLabel('Message').fill(`  ${message} `)
  await send.click()
  await expect(toast(page)).toContainText('Message Sent!')
  await expect(contact.getByLabel('Message')).toHaveValue('')
  const storedRows = await app.db`select user_id, email from feedback where message = ${message}`
  expect(storedRows.map((row) => ({ ...row }))).toEqual([{ userId: null, email: 'visitor@example.org' }])
})

test.describe('when too many messages were sent', () => {
  test.use({ expectedErrors: [/status of 429/] })

  test('@long people-25: the page says how long to wait, and the text stays', async ({ page, app }) => {
    const contact = part(page, 'Contact')
    const send = contact.getByRole('button', { name: 'Send message' })
    await contact.getByLabel('Email').fill('visitor@example.org')
    await contact.getByLabel('Message').fill('Once')
    await send.click()
    await expect(contact.getByLabel('Message')).toHaveValue('')
    await app.db`update limit_counters set count = 5 where key like 'message-network:%'`
    await contact.getByLabel('Message').fill('Once more')
    await send.click()
    await expect(toast(page)).toContainText(
      'Several messages were sent from your network. Please wait an hour.',
    )
    await expect(contact.getByLabel('Message')).toHaveValue('Once more')
  })
})

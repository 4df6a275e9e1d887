import { signIn } from './fixtures.ts'
import { expect, newVideoId, pad, test, title, toast } from './stock.ts'

// The circuit breakers of this server stay open for 20 s, which is longer than the next test file waits for sound.
test.afterAll(({ app }) => app.restart('SIGTERM'))

test.use({
  expectedErrors: [/50[23] .*(\/iframe_api|\/api\/youtube\/find-replacement|\/api\/spotify\/search\?.*)$/],
})

test('with all services outside down a listener signs in, rates and finds the banger; a diagnostic tool says what is missing', async ({
  page,
  stock,
  app,
}) => {
  app.youtube.serveApi('fail')
  app.deezer.answer('gone')
  app.spotify.behave('gone')
  app.youtubeApi.behave('gone')
  await stock([{ youtubeId: newVideoId(), title: 'Heard Before' }, { title: 'Never Heard' }])
  await signIn(page)

  await expect(toast(page).getByText('No Audio Available')).toBeVisible()
  // The pass decides which of the two comes first.
  const first = (await title(page).textContent()) ?? ''
  await pad(page, 'BANGER').click()
  await expect(title(page)).not.toHaveText(first)
  await page.keyboard.press('2')
  await expect(
    page.getByRole('list', { name: 'Your bangers' }).getByRole('button', { name: `${first} by ` }),
  ).toBeVisible()

  await page.goto('/youtube-optimization')
  for (const [tab, action, said] of [
    ['YouTube Replacement', 'Find Replacement', 'YouTube does not answer right now.'],
    ['Spotify Search', 'Search Spotify', 'Spotify does not answer right now.'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByLabel('Artist').fill('Slowdive')
    await page.getByLabel('Title').fill('Alison')
    await page.getByRole('button', { name: action, exact: true }).click()
    await expect(toast(page)).toContainText(said)
  }
})

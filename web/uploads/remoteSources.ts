import RemoteSources from '@uppy/remote-sources'
import type { Uploader } from './uploadRules.ts'

/** What Uppy calls the boxes of spec §2. */
const sources = {
  box: 'Box',
  dropbox: 'Dropbox',
  drive: 'GoogleDrive',
  facebook: 'Facebook',
  unsplash: 'Unsplash',
} as const

/** Lets files be taken from elsewhere, through the server's companion. */
export function addRemoteSources(uppy: Uploader, providers: readonly (keyof typeof sources)[]): void {
  uppy.use(RemoteSources, {
    companionUrl: `${location.origin}/companion`,
    sources: providers.map((provider) => sources[provider]),
  })
}

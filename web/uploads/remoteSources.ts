import RemoteSources from '@uppy/remote-sources'
import { withBasePath } from '../api/paths.ts'
import type { Uploader } from './uploadRules.ts'

/** Uppy's names of the remote providers (uploads-2). */
const sources = {
  box: 'Box',
  dropbox: 'Dropbox',
  drive: 'GoogleDrive',
  facebook: 'Facebook',
  unsplash: 'Unsplash',
} as const

/** Adds remote providers, through the server's Companion. */
export function addRemoteSources(uppy: Uploader, providers: readonly (keyof typeof sources)[]): void {
  uppy.use(RemoteSources, {
    companionUrl: `${location.origin}${withBasePath('/companion')}`,
    sources: providers.map((provider) => sources[provider]),
  })
}

import { useSearch } from 'wouter'
import { navigate, useLocationProperty } from 'wouter/use-browser-location'
import type { Song } from '../../contract/shapes.ts'
import { currentPath, withBasePath } from '../api/paths.ts'

/*
 * The place in the application that the address names (screens-12). What is open follows the address and is stored
 * nowhere else, so Back, Forward, reload and links need no code of their own.
 */

export type Section = 'discover' | 'library' | 'community'

/** The dialogs with an address, and the sections and pages that have them; null for everywhere. */
const dialogs = {
  picker: ['discover'],
  suggest: ['discover', 'library', '/imports'],
  shortcuts: ['discover'],
  why: ['discover'],
  feedback: null,
  elsewhere: null,
  people: null,
  profile: null,
  queue: ['library', 'community', '/microgenres', '/profile', '/imports'],
  collections: ['library'],
  mixes: ['library'],
  'save-as': ['library', '/profile'],
  'share-collection': ['library'],
  'share-stats': ['community'],
  'blind-round': ['community'],
  'share-map': ['/microgenres'],
  'share-achievement': ['community', '/profile'],
  photo: ['/profile'],
  tokens: ['/profile'],
  bring: ['/imports'],
  'delete-account': ['/profile'],
} as const satisfies Record<string, readonly (Section | '/profile' | '/microgenres' | '/imports')[] | null>

export type DialogName = keyof typeof dialogs

export type ProfileList = 'followers' | 'following'

export interface ScreenParams {
  section: Section
  microgenre: string | null
  dialog: DialogName | null
  /** In the dialog of people: whose profile. */
  listener: string | null
  /** In a profile: which of its lists. */
  list: ProfileList | null
  /** In the dialog of collections: which one. */
  collection: string | null
  /** In the dialog of mixes: which one. */
  mix: string | null
  /** In the dialog that shares an achievement. */
  achievement: string | null
}

/** What a dialog shows one of. */
type DetailName = 'listener' | 'list' | 'collection' | 'mix' | 'achievement'

const NO_DIALOG = { dialog: null, listener: null, list: null, collection: null, mix: null, achievement: null }

/** The place of a query string. What it does not know, or not there, is missing in the result. */
export function parseScreenParams(search: string): ScreenParams {
  const params = new URLSearchParams(search)
  const section = parseSection(params.get('section'))
  const dialog = parseDialog(params.get('dialog'), section)
  const listener = dialog === 'people' ? parseId(params.get('listener')) : null
  return {
    section,
    microgenre: parseId(params.get('microgenre')),
    dialog,
    listener,
    list: dialog === 'profile' || listener !== null ? parseProfileList(params.get('list')) : null,
    collection: dialog === 'collections' ? parseId(params.get('collection')) : null,
    mix: dialog === 'mixes' ? parseId(params.get('mix')) : null,
    achievement: dialog === 'share-achievement' ? parseId(params.get('achievement')) : null,
  }
}

/** The query string of a place; '' for Discover without a microgenre. */
export function formatScreenParams({ section, ...rest }: ScreenParams): string {
  const params = new URLSearchParams()
  if (section !== 'discover') params.set('section', section)
  for (const [name, value] of Object.entries(rest)) if (value !== null) params.set(name, value)
  return params.size > 0 ? `?${params}` : ''
}

export const useScreenParams = (): ScreenParams => parseScreenParams(useSearch())

/** One part of the place: the component renders again only when this part changes. */
export const useScreenParam = <Name extends keyof ScreenParams>(name: Name): ScreenParams[Name] =>
  useLocationProperty(() => parseScreenParams(location.search)[name])

/**
 * Goes to another place of the main screen, with all dialogs closed. It adds an entry to the history, in place of that
 * of an open dialog (screens-13).
 */
export function goTo(change: Partial<Pick<ScreenParams, 'section' | 'microgenre'>>): void {
  const current = { ...parseScreenParams(location.search), ...NO_DIALOG }
  const next = formatScreenParams({ ...current, ...change })
  const { dialog } = parseScreenParams(location.search)
  if (currentPath() === '/' && next === formatScreenParams(current)) {
    if (dialog) closeDialog(dialog)
  } else navigate(withBasePath(`/${next}`), { replace: dialog !== null })
}

/** Corrects the address of the place without an entry of its own. Parameters that are none of a place are removed. */
export function correctScreenParams(change: Partial<ScreenParams> = {}): void {
  const search = formatScreenParams({ ...parseScreenParams(location.search), ...change })
  if (search !== location.search)
    navigate(location.pathname + search, { replace: true, state: history.state })
}

/**
 * Opens a dialog, or another page of the open one, as an entry of the history. The entry also keeps the song that the
 * dialog is about.
 */
export function openDialog(
  dialog: DialogName,
  { song = null, ...detail }: Partial<Pick<ScreenParams, DetailName>> & { song?: Song | null } = {},
): void {
  const current = parseScreenParams(location.search)
  const search = formatScreenParams({ ...current, ...NO_DIALOG, dialog, ...detail })
  if (search === location.search) return
  // An entry on top of a dialog that a link opened does not lead out of it.
  const depth = current.dialog === null ? 1 : readDialogDepth() > 0 ? readDialogDepth() + 1 : 0
  // Whom a list of the own profile shows is in the dialog of people.
  const onPage = current.dialog === dialog || current.list !== null
  navigate(location.pathname + search, {
    state: { depth, onPage, from: current.list, song } satisfies DialogHistoryState,
  })
}

/** Closes a dialog: goes back to before it when the page opened it, so that no entry of it stays (screens-14). */
export function closeDialog(dialog: DialogName): void {
  if (parseScreenParams(location.search).dialog !== dialog) return
  if (readDialogDepth() > 0) goBack(readDialogDepth())
  else correctScreenParams(NO_DIALOG)
}

/** From another page of a dialog to the one before: from a profile to the people, from a list to its profile. */
export function closeDetail(detail: DetailName): void {
  if (parseScreenParams(location.search)[detail] === null) return
  if (readHistoryState()?.onPage) goBack(1)
  else correctScreenParams({ [detail]: null, list: null })
}

/** The list of followers or followed listeners from which the page that is shown was opened. */
export const getOpenerList = (): ProfileList | null => readHistoryState()?.from ?? null

/** The song that the open dialog is about; null when a link opened the dialog. */
export const getDialogSong = (): Song | null => readHistoryState()?.song ?? null

/** For a dialog component: whether it is open, and what opens and closes it. It may show several dialogs in turn. */
export function useDialog(dialog: DialogName, ...others: DialogName[]) {
  const current = useScreenParam('dialog')
  const open = current === dialog || others.some((other) => other === current)
  const onOpenChange = (isOpen: boolean) =>
    isOpen ? openDialog(dialog) : closeDialog((open && current) || dialog)
  return { open, onOpenChange }
}

/** The state of an entry that `openDialog` added; other entries have none. */
interface DialogHistoryState {
  /** How many entries back the dialog was not open yet; 0 when a link opened it. */
  depth: number
  /** Whether the entry before it is another page of the open dialog. */
  onPage: boolean
  /** The list that the entry before shows. */
  from: ProfileList | null
  song: Song | null
}

const readHistoryState = () => history.state as DialogHistoryState | null
const readDialogDepth = () => readHistoryState()?.depth ?? 0

let isGoingBack = false

/** The browser goes back a moment later. Meanwhile a second Escape must not leave the page. */
function goBack(entries: number): void {
  if (isGoingBack) return
  isGoingBack = true
  window.addEventListener(
    'popstate',
    () => {
      isGoingBack = false
    },
    { once: true },
  )
  history.go(-entries)
}

function parseSection(name: string | null): Section {
  return name === 'library' || name === 'community' ? name : 'discover'
}

function parseDialog(name: string | null, section: Section): DialogName | null {
  if (name === null || !Object.hasOwn(dialogs, name)) return null
  const dialog = name as DialogName
  const allowedPlaces = dialogs[dialog]
  // Without the id of an import.
  const path = currentPath().replace(/(?<=.)\/\d*$/, '')
  const isAllowedHere =
    allowedPlaces === null || allowedPlaces.some((place) => place === section || place === path)
  // A link has no song.
  const isSongMissing = dialog === 'elsewhere' && getDialogSong() === null
  return isAllowedHere && !isSongMissing ? dialog : null
}

function parseProfileList(name: string | null): ProfileList | null {
  return name === 'followers' || name === 'following' ? name : null
}

/** As in the contract's `Id`. */
const parseId = (text: string | null) => (text && /^[1-9]\d{0,17}$/.test(text) ? text : null)

/*
 * The layouts, as media queries. Each is a variant of Tailwind, too (mediaVariants.ts): `phone:hidden`. The breakpoints
 * of width alone, `wide`, `roomy` and `large`, are in style.css.
 */

/** Tailwind's `max-wide`. */
export const narrow = '(max-width: 44.9375rem)'
/** The stage has two layouts: standing (portrait), and lying, which is `low` on a phone on its side. */
export const standing = '(orientation: portrait) or (max-width: 33.6875rem)'
export const phone = '(max-width: 44.9375rem) and ((orientation: portrait) or (max-width: 33.6875rem))'
export const tablet = '(min-width: 45rem) and (orientation: portrait)'
export const short = '(max-width: 44.9375rem) and (orientation: portrait) and (max-height: 38.75rem)'
export const low =
  '(orientation: landscape) and (min-width: 33.75rem) and ((max-height: 29.9375rem) or (max-width: 44.9375rem))'
/** Where the desk has room for a sentence beside Undo. */
export const beside =
  '(orientation: landscape) and ((min-width: 80rem) or ((min-width: 41.6875rem) and (max-height: 29.9375rem)))'
/** A desktop at 400 %: too low for a video that stays in place. */
export const tiny = '(max-width: 33.6875rem) and (max-height: 26.1875rem)'
/** Where a page has room for a column above the docked video. */
export const railed = '(min-width: 56.25rem) and (orientation: landscape) and (min-height: 36rem)'
/** Where there is a keyboard: key caps and shortcut hints. */
export const keys = '(hover: hover) and (pointer: fine)'

import { storageItem } from '../api/storageItem.ts'

/** What a visitor rated in this browser, in the first form (visitors-22). */
export const visitorRatings = storageItem('visitor-ratings-1')

import plugin from 'tailwindcss/plugin'
import { beside, keys, low, narrow, phone, railed, short, standing, tablet, tiny } from './media.ts'

// Of two variants that match, the later one wins.
const variants = { narrow, standing, phone, tablet, short, low, beside, tiny, railed, keys }

export default plugin(({ addVariant }) => {
  for (const [name, query] of Object.entries(variants)) addVariant(name, `@media ${query}`)
})

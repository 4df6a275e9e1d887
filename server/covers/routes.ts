import { COVER_SIZES, getCover } from '../../contract/covers.ts'
import type { Context } from '../context.ts'
import { Answer, picture } from '../http/answers.ts'
import { type Route, route } from '../http/route.ts'
import { CoverMaker } from './CoverMaker.ts'

/** Seconds that browsers cache a cover, and that there is none. */
const CACHE_SECONDS = { cover: 7 * 86_400, none: 3600 }

export function coverRoutes(): Route<Context>[] {
  const covers = new CoverMaker()
  return [
    route(getCover, async ({ params }, context: Context) => {
      const [, songId = '', sizeText] = /^([1-9]\d{0,17})-(\d{3})\.webp$/.exec(params.cover) ?? []
      const size = COVER_SIZES.find((one) => one === Number(sizeText))
      const found = size ? await covers.find(context, songId, size) : { isFinal: false }
      if ('isFinal' in found) return noCover(found.isFinal)
      return picture(found, found.tag, CACHE_SECONDS.cover)
    }),
  ]
}

const noCover = (isFinal: boolean) =>
  new Answer((reply) => {
    if (isFinal) reply.header('cache-control', `public, max-age=${CACHE_SECONDS.none}`)
    return reply.status(404).send({ message: 'There is no such cover.' })
  })

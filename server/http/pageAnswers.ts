import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getCurrentUser } from '../../contract/auth.ts'
import { getNextSong, listMicrogenres, type Prefetch } from '../../contract/discovery.ts'
import type { Response } from '../../contract/endpoint.ts'
import { getPreferences } from '../../contract/onboarding.ts'
import { pickFirst } from '../../contract/pickMicrogenre.ts'
import { getMyStats } from '../../contract/profiles.ts'
import type { Env } from '../env.ts'
import type { PageAnswers } from './servePages.ts'

/**
 * The answers to what a page with music asks for first, which its HTML brings (screens-22): who is signed in, and for
 * the main screen what it shows first. Empty for other pages. The calls are made as the page would make them, so they
 * are authenticated and limited like any call; those that do not answer 200 are left out.
 */
export function pageAnswers(app: FastifyInstance, { basePath }: Env) {
  return async (request: FastifyRequest): Promise<PageAnswers> => {
    const [path = '', search] = request.url.split('?')
    const answers: PageAnswers = { bodies: new Map(), cookies: [], firstSong: null, showsStage: false }
    if (!/^\/((profile|microgenres)\/?)?$/.test(path)) return answers

    const ask = async <Answer>(call: string): Promise<Answer | null> => {
      const { cookie = '', 'user-agent': userAgent = '' } = request.headers
      const { statusCode, body, headers } = await app.inject({
        url: basePath + call,
        headers: { cookie, 'user-agent': userAgent },
        remoteAddress: request.ip,
      })
      if (statusCode !== 200) return null
      // A session that was extended.
      answers.cookies.push(...[headers['set-cookie'] ?? []].flat())
      answers.bodies.set(call, body)
      return JSON.parse(body) as Answer
    }
    const user = await ask(getCurrentUser.path)
    if (!user || path !== '/') return answers
    const [list] = await Promise.all([
      ask<Response<typeof listMicrogenres>>(listMicrogenres.path),
      ask(getPreferences.path),
      ask(getMyStats.path),
    ])
    const place = new URLSearchParams(search)
    const first = list?.find(({ id }) => id === place.get('microgenre')) ?? pickFirst(list ?? [])
    if (!first) return answers
    const songs = await ask<Response<typeof getNextSong> & Prefetch>(
      `${getNextSong.path.replace(':id', first.id)}?prefetch=true`,
    )
    const showsStage = (place.get('section') ?? 'discover') === 'discover'
    return { ...answers, firstSong: songs?.songs[0] ?? null, showsStage }
  }
}

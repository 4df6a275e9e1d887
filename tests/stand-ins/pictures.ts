import type { RequestListener } from 'node:http'
import { answerAs, type Behaviour } from './behaviour.ts'
import { listen } from './listen.ts'

/** A host of profile pictures, such as a sign-in provider's. */
export interface PictureHost {
  /** The address of a picture of this name. */
  address(name: string): string
  /** The picture that it sends from now on, with its type. */
  show(content: Buffer, type?: string): void
  behave(behaviour: Behaviour): void
  /** Answers the picture of this name in its own way. */
  answer(name: string, listener: RequestListener): void
  /** The names of the pictures that were requested. */
  asked: string[]
  close(): Promise<void>
}

export async function startPictureHost(): Promise<PictureHost> {
  const special = new Map<string, RequestListener>()
  const asked: string[] = []
  let shown: { content: Buffer; type: string } = { content: Buffer.alloc(0), type: 'image/png' }
  let behaviour: Behaviour = 'ok'
  const { port, close } = await listen((request, response) => {
    const name = request.url?.slice(1) ?? ''
    asked.push(name)
    const own = special.get(name)
    if (own) return own(request, response)
    if (answerAs(behaviour, response)) return
    response.writeHead(200, { 'content-type': shown.type }).end(shown.content)
  })
  return {
    asked,
    address: (name) => `http://127.0.0.1:${port}/${name}`,
    show(content, type = 'image/png') {
      shown = { content, type }
    },
    behave(next) {
      behaviour = next
    },
    answer: (name, listener) => void special.set(name, listener),
    close,
  }
}

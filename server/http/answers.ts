import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { contentRange } from './itemRange.ts'

/** What a handler gives back instead of JSON. */
export class Answer {
  readonly send: (reply: FastifyReply) => FastifyReply

  constructor(send: (reply: FastifyReply) => FastifyReply) {
    this.send = send
  }
}

export const redirect = (to: string) => new Answer((reply) => reply.redirect(to, 302))

export const html = (status: number, text: string) =>
  new Answer((reply) => reply.status(status).type('text/html; charset=utf-8').send(text))

/** The first items of a list of `total`; the whole list is an ordinary answer. */
export const firstItems = (items: unknown[], total: number) =>
  new Answer((reply) =>
    items.length < total
      ? reply.status(206).header('content-range', contentRange(items.length, total)).send(items)
      : reply.send(items),
  )

/** A download, streamed or whole. `name` is what the browser saves it as. */
export const file = (type: string, body: Readable | Buffer, name: string) =>
  new Answer((reply) =>
    reply.header('content-disposition', `attachment; filename="${name}"`).type(type).send(body),
  )

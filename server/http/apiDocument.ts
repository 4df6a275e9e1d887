import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** The OpenAPI document of the contract, and its pages at /docs. */
export async function addApiDocument(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      info: { title: 'Banger or Bust', version: '1', description: 'What the web application calls.' },
    },
  })
  await app.register(swaggerUi, { routePrefix: '/docs' })
}

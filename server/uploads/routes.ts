import * as contract from '../../contract/uploads.ts'
import type { Context } from '../context.ts'
import { Answer, fileDownload, picture } from '../http/answers.ts'
import { HttpError } from '../http/HttpError.ts'
import { type Route, route } from '../http/route.ts'
import { ExpiredAddress } from '../integrations/storage/LocalStore.ts'
import { isObjectKey, photoKey, uploadKey } from '../integrations/storage/ObjectStore.ts'
import { deleteUpload } from './discardUpload.ts'
import { photoQueue } from './makePhoto.ts'
import { abortMultipart, completeMultipart, createMultipart, listParts, signPart } from './multipart.ts'
import { beginUpload, noSuchUpload, receiveUpload } from './receiveUpload.ts'
import { isShown, removePhoto, setPhoto } from './setPhoto.ts'

/** A photo that is taken down stays in caches for so long. */
const PHOTO_CACHE_SECONDS = 86_400

export function uploadRoutes(): Route<Context>[] {
  return [
    route(contract.getUploadSettings, async (_, { env, integrations }: Context) => {
      const found = await integrations.companion?.listProviders()
      return {
        maxBytes: env.UPLOAD_MAX_BYTES,
        providers: found && 'providers' in found ? found.providers : [],
      }
    }),

    route(contract.requestPhotoUpload, async ({ user, body }, context: Context) => {
      const { filename = null, type = null, size = null } = body
      const announced = { purpose: 'profile-photo', name: filename, type, size } as const
      const { key, limit } = await beginUpload(context, user.id, announced)
      const address = await context.integrations.store.signUpload(key, { type, size, limit })
      return {
        uploadURL: address.url,
        method: 'PUT' as const,
        headers: address.headers,
        key,
        expires: address.expires,
      }
    }),

    route(contract.setPhoto, ({ user, body, exchange }, context: Context) =>
      setPhoto(context, user.id, body.photoURL, (make) => photoQueue.run(user.id, make, exchange.signal)),
    ),

    route(contract.removePhoto, ({ user }, context: Context) => removePhoto(context, user.id)),

    route(contract.getPhoto, async ({ params }, { db, integrations }: Context) => {
      const [, photo = '', size = ''] = /^([\w-]+)-(\d+)\.webp$/.exec(params.photo) ?? []
      const key = photoKey(photo, Number(size))
      const isFound = isObjectKey(key) && (await isShown(db, photo))
      const found = isFound ? await integrations.store.read(key) : null
      if (!found) throw new HttpError(404, 'There is no such photo.')
      return picture(found, `"${photo.slice(0, 16)}-${size}"`, PHOTO_CACHE_SECONDS)
    }),

    route(contract.createMultipart, ({ user, body }, context: Context) =>
      createMultipart(context, user.id, {
        name: body.filename,
        type: body.type ?? null,
        size: body.size ?? null,
        purpose: body.purpose ?? 'file',
      }),
    ),

    route(contract.listParts, async ({ user, params, query }, context: Context) => {
      const parts = await listParts(context, user.id, { ...params, ...query })
      return parts.map(({ number, size, etag }) => ({ PartNumber: number, Size: size, ETag: etag }))
    }),

    route(contract.signPart, async ({ user, params, query }, context: Context) => {
      const { url, expires } = await signPart(context, user.id, { ...params, ...query })
      return { url, method: 'PUT' as const, expires }
    }),

    route(contract.completeMultipart, async ({ user, params, query, body }, context: Context) => {
      const parts = body.parts.map(({ PartNumber, ETag }) => ({ number: PartNumber, etag: ETag }))
      await completeMultipart(context, user.id, { ...params, ...query }, parts)
      return { location: uploadUrl(context, query.key), key: query.key }
    }),

    route(contract.abortMultipart, async ({ user, params, query }, context: Context) => {
      await abortMultipart(context, user.id, { ...params, ...query })
      return {}
    }),

    route(contract.getUploadParameters, async ({ user, query, exchange }, context: Context) => {
      const size = query.size === undefined ? null : Number(query.size)
      const { filename: name, type = null, purpose = 'file' } = query
      const { key, limit } = await beginUpload(context, user.id, { purpose, name, type, size })
      const { db, integrations } = context
      if (exchange.isHead) await deleteUpload(db, integrations.store, { key, uploadId: null })
      return integrations.store.signForm(key, { type, size, limit })
    }),

    route(contract.getTemporaryCredentials, () => {
      throw new HttpError(
        404,
        'This server issues no storage credentials. Upload files to the addresses that it signs.',
      )
    }),

    route(contract.receiveUpload, async ({ params, query, bytes }, context: Context) => {
      try {
        const { etag } = await receiveUpload(context, params, query, bytes)
        const url = uploadUrl(context, uploadKey(params.owner, params.object))
        return new Answer((reply) => reply.headers({ etag, location: url }).send({ url }))
      } catch (error) {
        if (error instanceof ExpiredAddress) return expiredAnswer(error)
        throw error
      }
    }),

    route(contract.readUpload, async ({ user, params }, { db, integrations }: Context) => {
      const key = uploadKey(user.id, params.object)
      const [upload] = await db`select from uploads where key = ${key} and discarded_at is null`
      const object =
        upload && params.owner === user.id && isObjectKey(key) ? await integrations.store.read(key) : null
      if (!object) throw noSuchUpload()
      return fileDownload('application/octet-stream', object.stream, params.object)
    }),
  ]
}

const uploadUrl = ({ env }: Context, key: string) => `${env.publicUrl}/${key}`

/** The words of S3, after which Uppy requests another address. */
const expiredAnswer = ({ status, message }: HttpError) =>
  new Answer((reply) =>
    reply.status(status).send({ message, detail: '<Message>Request has expired</Message>' }),
  )

/** A listener's upload; its name is 128 random bits. */
export const uploadKey = (listener: string, name: string) => `uploads/${listener}/${name}`

/** One size of a profile photo. */
export const photoKey = (photo: string, size: number) => `photos/${photo}/${size}.webp`

/** One size of a song's cover. */
export const coverKey = (cover: string, size: number) => `covers/${cover}/${size}.webp`

/** Whether the server made this key. Nothing else may become a path. */
export const isObjectKey = (key: string) =>
  /^(uploads\/[1-9]\d{0,17}\/[\w-]{22}|(photos|covers)\/[\w-]{43}\/\d{2,3}\.webp)$/.test(key)

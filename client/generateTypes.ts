import openapiTS, { astToString } from 'openapi-typescript'

/** The TypeScript types of an OpenAPI document. */
export const generateTypes = async (document: string): Promise<string> =>
  astToString(await openapiTS(document))

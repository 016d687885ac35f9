import * as z from 'zod';
import { defineRoute } from './route.ts';

/** The version of the API. Paths contain the first number; additions increase the second. */
export const INTERFACE_VERSION = '1.0.0';

export const getOpenApi = defineRoute('getOpenApi', {
  auth: 'public',
  reply: z
    .looseObject({ openapi: z.string().describe('The version of OpenAPI.') })
    .meta({ id: 'OpenApiDocument' }),
});

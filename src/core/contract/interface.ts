import * as z from 'zod';
import { PublicRead, defineRoute } from './route.ts';

/** The version of the interface: its paths carry the first number, additions raise the second. */
export const INTERFACE_VERSION = '1.0.0';

export const getOpenApi = defineRoute({
  ...PublicRead,
  id: 'getOpenApi',
  prepared: 'start',
  llms: {
    section: 'For programs',
    title: 'OpenAPI 3.0 document',
    about: 'every operation under /api/v1',
  },
  tag: 'service',
  limit: 'pages',
  cacheSeconds: 300,
  path: '/openapi.json',
  summary: 'This interface as an OpenAPI 3.0 document',
  reply: z
    .looseObject({ openapi: z.string().describe('The version of OpenAPI.') })
    .meta({ id: 'OpenApiDocument' }),
});

/** The session of a browser. */
import * as z from 'zod';
import { Codename } from '../schema/scalars.ts';
import { NoParams, NoQuery, PublicRead, defineRoute } from './route.ts';

export const SessionState = z
  .strictObject({
    signedIn: z.boolean().describe('Whether the cookie names a session that runs.'),
    operator: z
      .strictObject({
        codename: Codename,
        display_name: z.string().nullable().describe('Null if there is none.'),
        avatar_url: z.url().nullable().describe('Null while nobody can get one.'),
      })
      .nullable()
      .describe('Null unless signed in.'),
  })
  .meta({ id: 'SessionState' });
export type SessionState = z.infer<typeof SessionState>;

export const getSession = defineRoute({
  ...PublicRead,
  id: 'getSession',
  tag: 'account',
  path: '/api/auth/session',
  summary: 'Whether the caller is signed in, and as whom',
  limit: 'pages',
  cacheSeconds: 0,
  params: NoParams,
  query: NoQuery,
  reply: SessionState,
  errors: [],
});

import * as z from 'zod';
import { Codename } from '../schema/scalars.ts';
import { NoBody, NoQuery, defineRoute } from './route.ts';

export const SessionState = z
  .strictObject({
    signedIn: z.boolean(),
    operator: z
      .strictObject({
        codename: Codename,
        display_name: z.string().nullable(),
        avatar_url: z.url().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'SessionState' });
export type SessionState = z.infer<typeof SessionState>;

export const getSession = defineRoute({
  method: 'GET',
  path: '/api/auth/session',
  summary: 'Whether the caller is signed in, and as whom',
  auth: 'public',
  cacheSeconds: 0,
  query: NoQuery,
  ...NoBody,
  reply: SessionState,
  errors: [],
});

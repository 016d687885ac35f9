/** The browsers that the caller is signed in with. */
import * as z from 'zod';
import { BrowserSession } from '../schema/account.ts';
import { PublicRead, defineRoute } from './route.ts';
import { Codename } from '../schema/scalars.ts';

export const Sessions = z
  .strictObject({ sessions: z.array(BrowserSession).max(100).describe('The one seen last first.') })
  .meta({ id: 'Sessions' });
export type Sessions = z.infer<typeof Sessions>;

const OwnSessions = {
  tag: 'account',
  auth: 'session',
} as const;

export const listSessions = defineRoute({
  ...OwnSessions,
  id: 'listSessions',
  method: 'GET',
  path: '/api/v1/account/sessions',
  summary: 'The browsers that the caller is signed in with',
  limit: 'pages',
  reply: Sessions,
});

export const endOtherSessions = defineRoute({
  ...OwnSessions,
  id: 'endOtherSessions',
  method: 'DELETE',
  path: '/api/v1/account/sessions',
  summary: 'Sign all other browsers of the caller out',
  description: 'Answers the sessions that ended. The one that asks goes on.',
  limit: 'writes',
  reply: Sessions,
});

export const endSession = defineRoute({
  ...OwnSessions,
  id: 'endSession',
  method: 'DELETE',
  path: '/api/v1/account/sessions/{id}',
  summary: 'Sign one browser of the caller out',
  description: 'Answers the session that ended, which may be the one that asks.',
  limit: 'writes',
  params: z.strictObject({ id: BrowserSession.shape.id }),
  reply: BrowserSession,
});

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
  reply: SessionState,
});

/** The browsers that the caller is signed in with. */
import * as z from 'zod';
import { BrowserSession } from '../schema/account.ts';
import { NoBody, NoParams, NoQuery, defineRoute } from './route.ts';

export const Sessions = z
  .strictObject({ sessions: z.array(BrowserSession).max(100).describe('The one seen last first.') })
  .meta({ id: 'Sessions' });
export type Sessions = z.infer<typeof Sessions>;

const OwnSessions = {
  tag: 'account',
  auth: 'session',
  cacheSeconds: 0,
  query: NoQuery,
  ...NoBody,
  statuses: [200],
  errors: [],
} as const;

export const listSessions = defineRoute({
  ...OwnSessions,
  id: 'listSessions',
  method: 'GET',
  path: '/api/v1/account/sessions',
  summary: 'The browsers that the caller is signed in with',
  limit: 'pages',
  params: NoParams,
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
  params: NoParams,
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

/** The browsers that the caller is signed in with. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { BrowserSession } from '../schema/account.ts';
import { defineRoute } from './route.ts';
import { Codename } from '../schema/scalars.ts';

export const Sessions = object('Sessions', {
  sessions: z.array(BrowserSession).max(100).describe('The one seen last first.'),
});
export type Sessions = z.infer<typeof Sessions>;

export const listSessions = defineRoute('listSessions', { auth: 'session', reply: Sessions });

export const endOtherSessions = defineRoute('endOtherSessions', {
  auth: 'session',
  reply: Sessions,
});

export const endSession = defineRoute('endSession', {
  auth: 'session',
  params: z.strictObject({ id: BrowserSession.shape.id }),
  reply: BrowserSession,
});

export const SessionState = object('SessionState', {
  signedIn: z.boolean().describe('Whether the cookie names a session that runs.'),
  operator: z
    .strictObject({
      codename: Codename,
      display_name: z.string().nullable().describe('Null if there is none.'),
      avatar_url: z.url().nullable().describe('Null while nobody can get one.'),
    })
    .nullable()
    .describe('Null unless signed in.'),
});
export type SessionState = z.infer<typeof SessionState>;

export const getSession = defineRoute('getSession', { auth: 'public', reply: SessionState });

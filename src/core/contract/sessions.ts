/** The browsers where the caller is signed in. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { BrowserSession } from '../schema/account.ts';
import { defineRoute } from './route.ts';
import { Codename } from '../schema/scalars.ts';

export const Sessions = object('Sessions', {
  sessions: z.array(BrowserSession).max(100).describe('Most recently seen first.'),
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
  signedIn: z.boolean().describe('Whether the cookie belongs to a valid session.'),
  operator: z
    .strictObject({
      codename: Codename,
      display_name: z.string().nullable().describe('Null if there is none.'),
      avatar_url: z
        .url()
        .nullable()
        .describe('The public URL of the picture; null while it is not public.'),
    })
    .nullable()
    .describe('The operator; null if not signed in.'),
});
export type SessionState = z.infer<typeof SessionState>;

export const getSession = defineRoute('getSession', { auth: 'public', reply: SessionState });

/** How people sign in, and the browsers where they are. */
import * as z from 'zod';
import { Timestamp } from './scalars.ts';

/** A way of signing in that an account can be linked to. */
export const SignInMethod = z
  .enum(['email_magic_link', 'github', 'oidc', 'twitter'])
  .meta({ id: 'SignInMethod', description: 'A way of signing in.' });
export type SignInMethod = z.infer<typeof SignInMethod>;

/** How a session began: by one of the methods, or by a link that the keeper made. */
export const SessionMethod = z.enum([...SignInMethod.options, 'login_link']);
export type SessionMethod = z.infer<typeof SessionMethod>;

export const BrowserSession = z
  .strictObject({
    id: z.uuid().describe('What the session is revoked by.'),
    current: z.boolean().describe('Whether it is the one that asks.'),
    method: SessionMethod.nullable().describe('How it began; null where that is not known.'),
    label: z.string().describe('The kind of browser and system, never more.'),
    created_at: Timestamp.describe('When it began.'),
    last_seen_at: Timestamp.nullable().describe('To the hour; null before the first visit.'),
    expires_at: Timestamp.describe('When it ends unless the browser is used before.'),
  })
  .describe('A browser that is signed in.')
  .meta({ id: 'BrowserSession' });
export type BrowserSession = z.infer<typeof BrowserSession>;

/** What somebody signs in for: to go on with what a provider asked, or to link a method to an account. */
export type SignInPurpose =
  { interaction: string; operator_id: null } | { interaction: null; operator_id: number };

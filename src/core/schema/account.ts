/** How people sign in, and the browsers where they are. */
import * as z from 'zod';
import { object } from './object.ts';
import { Timestamp } from './scalars.ts';
import { line, lines } from './texts.ts';

export const SignInMethod = z
  .enum(['email_magic_link', 'github', 'oidc', 'twitter'])
  .meta({ id: 'SignInMethod', description: 'A way of signing in.' });
export type SignInMethod = z.infer<typeof SignInMethod>;

export const UpstreamName = SignInMethod.extract(['github', 'twitter']);
export type UpstreamName = z.infer<typeof UpstreamName>;

/** How a session began: by one of the methods, or by a link that the admin made. */
export const SessionMethod = z.enum([...SignInMethod.options, 'login_link']);
export type SessionMethod = z.infer<typeof SessionMethod>;

export const BrowserSession = object('BrowserSession', 'A browser that is signed in.', {
  id: z.uuid().describe('What the session is revoked by.'),
  current: z.boolean().describe('Whether it is the one that asks.'),
  method: SessionMethod.nullable().describe('How it began; null where that is not known.'),
  label: z.string().describe('The kind of browser and system, never more.'),
  created_at: Timestamp.describe('When it began.'),
  last_seen_at: Timestamp.nullable().describe('To the hour; null before the first visit.'),
  expires_at: Timestamp.describe('When it ends unless the browser is used before.'),
});
export type BrowserSession = z.infer<typeof BrowserSession>;

export const LinkedMethod = z.strictObject({
  id: z.uuid().describe('What it is unlinked by.'),
  method: SignInMethod,
  label: z.string().describe('All that is kept of who signs in, but for a keyed hash.'),
  linked_at: Timestamp.describe('Since when it belongs to the account.'),
  last_used_at: Timestamp.nullable().describe('Null before the first sign-in.'),
});
/** A way of signing in that an account is linked to, as its operator sees it. */
export type LinkedMethod = z.infer<typeof LinkedMethod>;

export const Application = z.strictObject({
  id: z.string().describe('What it is shut out by.'),
  name: z.string().nullable().describe('As it called itself; null if it did not.'),
  redirect_host: z.string().describe('Where the browser was sent afterwards.'),
  created_at: Timestamp.describe('When it was let in.'),
  last_used_at: Timestamp.nullable().describe('To the hour; null before it was used.'),
});
/** An application that an operator let in, as its operator sees it. */
export type Application = z.infer<typeof Application>;

export const AccountEvent = z.strictObject({
  kind: z
    .enum([
      'account_hidden',
      'account_shown',
      'application_let_in',
      'application_shut_out',
      'codename_changed',
      'device_enrolled',
      'device_replaced',
      'device_revoked',
      'login_link_created',
      'method_linked',
      'method_unlinked',
      'signed_in',
      'submission_held',
      'submission_rejected',
      'submission_released',
      'submission_restored',
      'submission_withdrawn',
    ])
    .describe('What happened.'),
  detail: z.string().nullable().describe('With what; null where that says nothing.'),
  created_at: Timestamp.describe('When it happened.'),
});
export type AccountEvent = z.infer<typeof AccountEvent>;

/** What somebody signs in for: to go on with what a provider asked, or to link a method to an account. */
export type SignInPurpose =
  { interaction: string; operator_id: null } | { interaction: null; operator_id: number };

/** Who asks, and by which credential. */
export interface Caller {
  operator_id: number;
  /** The device that asks; null for a session. */
  device_id: number | null;
  /** The session that asks, as its operator revokes it; absent for a device. */
  session_id?: string;
  /** What an application was allowed; absent where the operator asks without one. */
  scopes?: readonly string[];
}

/** The longest texts, in code points. */
export const CONTACT_LENGTHS = { subject: 120, message: 5000 } as const;

function isThere(text: string): boolean {
  return text !== '';
}

export const ContactText = object('ContactText', {
  subject: line(CONTACT_LENGTHS.subject)
    .refine(isThere, 'must not be empty')
    .describe(`One line of at most ${CONTACT_LENGTHS.subject} visible characters.`),
  message: lines(CONTACT_LENGTHS.message)
    .refine(isThere, 'must not be empty')
    .describe(`At most ${CONTACT_LENGTHS.message} visible characters and line breaks.`),
});
export type ContactText = z.infer<typeof ContactText>;

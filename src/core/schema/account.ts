/** Sign-in methods, sessions, connected apps and account events. */
import * as z from 'zod';
import { object } from './object.ts';
import { Timestamp } from './scalars.ts';
import { line, lines } from './texts.ts';

export const SignInMethod = z
  .enum(['email_magic_link', 'github', 'oidc', 'passkey', 'twitter'])
  .meta({ id: 'SignInMethod', description: 'A sign-in method.' });
export type SignInMethod = z.infer<typeof SignInMethod>;

export const UpstreamName = SignInMethod.extract(['github', 'twitter']);
export type UpstreamName = z.infer<typeof UpstreamName>;

/** Roles, from the least to the most powerful. */
export const ROLES = ['operator', 'moderator', 'admin'] as const;
export const Role = z.enum(ROLES).describe('What the account may do on the admin pages.');
export type Role = z.infer<typeof Role>;

/** How a session began: with a sign-in method, or with a link created by the admin. */
export const SessionMethod = z.enum([...SignInMethod.options, 'login_link']);
export type SessionMethod = z.infer<typeof SessionMethod>;

export const BrowserSession = object('BrowserSession', 'A browser that is signed in.', {
  id: z.uuid().describe('The ID of the session, for `endSession`.'),
  current: z.boolean().describe('Whether this session made the request.'),
  method: SessionMethod.nullable().describe('How the session began; null if unknown.'),
  label: z
    .string()
    .describe('The browser and operating system, without versions or other details.'),
  created_at: Timestamp.describe('When the session began.'),
  last_seen_at: Timestamp.nullable().describe('Rounded to the hour; null before the first visit.'),
  expires_at: Timestamp.describe('When the session ends if the browser is not used until then.'),
});
export type BrowserSession = z.infer<typeof BrowserSession>;

export const LinkedMethod = z.strictObject({
  id: z.uuid().describe('The ID of the link, for removing it.'),
  method: SignInMethod,
  label: z
    .string()
    .describe('How the settings show it. Apart from this, only a keyed hash is stored.'),
  linked_at: Timestamp.describe('When it was linked to the account.'),
  last_used_at: Timestamp.nullable().describe('Null before the first sign-in.'),
});
/** A sign-in method of an account, as its operator sees it. */
export type LinkedMethod = z.infer<typeof LinkedMethod>;

export const Application = z.strictObject({
  id: z.string().describe('The ID of the app, for revoking its access.'),
  name: z.string().nullable().describe('The name that the app gave itself; null if none.'),
  redirect_host: z.string().describe('The host that the browser was redirected to.'),
  created_at: Timestamp.describe('When the operator connected it.'),
  last_used_at: Timestamp.nullable().describe('Rounded to the hour; null before the first use.'),
});
/** A connected app, as its operator sees it. */
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
      'role_changed',
      'sessions_ended',
      'passkey_rejected',
      'signed_in',
      'submission_held',
      'submission_rejected',
      'submission_released',
      'submission_restored',
      'submission_withdrawn',
    ])
    .describe('What happened.'),
  detail: z
    .string()
    .nullable()
    .describe('The device, app, method or other thing concerned; null if there is none.'),
  created_at: Timestamp.describe('When it happened.'),
});
export type AccountEvent = z.infer<typeof AccountEvent>;

/** Why somebody signs in: to continue an authorization, or to link a sign-in method to an account. */
export type SignInPurpose =
  { interaction: string; operator_id: null } | { interaction: null; operator_id: number };

/** The operator that a request acts for, and the credential used. */
export interface Caller {
  operator_id: number;
  /** Null if the request was made with a session or an access token. */
  device_id: number | null;
  /** The ID of the session; absent for a device. */
  session_id?: string;
  /** The scopes of the access token; absent without one. */
  scopes?: readonly string[];
}

/** Maximum lengths in code points. */
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

/** An admin's answer to a message. */
export const AnswerText = lines(CONTACT_LENGTHS.message).refine(isThere, 'must not be empty');

export type MessageState = 'done' | 'open';

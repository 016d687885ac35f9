/** The audit log: what admins, moderators and the board itself did. */
import * as z from 'zod';
import { Day } from './scalars.ts';
import { line } from './texts.ts';

/** Every action. A new one needs words in `components/admin/audit-words.ts`. */
export const AUDIT_ACTIONS = [
  'announcement_end',
  'announcement_set',
  'backup',
  'backup_start',
  'challenge_cancel',
  'challenge_create',
  'challenge_edit',
  'challenge_stop',
  'end_sessions',
  'hide',
  'hold',
  'invitation_create',
  'invitation_revoke',
  'key_issue',
  'key_revoke',
  'login_link',
  'message_answer',
  'message_done',
  'message_reopen',
  'reject',
  'release',
  'restore',
  'role',
  'setting',
  'unhide',
  'webhook_add',
  'webhook_disable',
  'webhook_enable',
  'webhook_remove',
  'webhook_rotate',
  'witness_add',
  'witness_remove',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Where an action was taken: by the board itself, with a command, on an admin page, or during the setup. */
export const AUDIT_VIAS = ['board', 'command', 'page', 'setup'] as const;
export type AuditVia = (typeof AUDIT_VIAS)[number];

/** Maximum lengths of the texts of a filter, in code points. */
export const AUDIT_TEXTS = { who: 80, subject: 200 } as const;

/** Which entries to list. Absent members select all. */
export const AuditQuery = z
  .strictObject({
    /** The codename of the account that acted. */
    who: line(AUDIT_TEXTS.who),
    via: z.enum(AUDIT_VIAS),
    action: z.enum(AUDIT_ACTIONS, 'must be an action of the audit log'),
    /** A part of the subject, or of the codename of the account concerned. */
    subject: line(AUDIT_TEXTS.subject),
    /** The first UTC day. */
    since: Day,
    /** The last UTC day. */
    until: Day,
  })
  .partial()
  .refine(({ since, until }) => since === undefined || until === undefined || since <= until, {
    path: ['until'],
    error: 'must not be before the first day',
  });
export type AuditQuery = z.infer<typeof AuditQuery>;

/** How pages show entries of the audit log. */
import type { AuditAction, AuditVia } from '#core/schema/audit.ts';

const ACTIONS: Readonly<Record<AuditAction, string>> = {
  announcement_end: 'Announcement ended',
  announcement_set: 'Announcement set',
  backup: 'Backup made',
  backup_start: 'Backup started',
  challenge_cancel: 'Challenge canceled',
  challenge_create: 'Challenge created',
  challenge_edit: 'Challenge changed',
  challenge_stop: 'Challenge stopped from repeating',
  end_sessions: 'Sessions ended',
  hide: 'Operator hidden',
  hold: 'Submission put on hold',
  invitation_create: 'Invitation created',
  invitation_revoke: 'Invitation revoked',
  key_issue: 'API key issued',
  key_revoke: 'API key revoked',
  login_link: 'Sign-in link created',
  message_answer: 'Message answered',
  message_done: 'Message marked as done',
  message_reopen: 'Message opened again',
  reject: 'Submission rejected',
  release: 'Submission released',
  restore: 'Backup restored',
  role: 'Role changed',
  setting: 'Setting changed',
  unhide: 'Operator shown again',
  webhook_add: 'Webhook added',
  webhook_disable: 'Webhook disabled',
  webhook_enable: 'Webhook enabled',
  webhook_remove: 'Webhook removed',
  webhook_rotate: 'Webhook secret replaced',
  witness_add: 'Log added that this board witnesses',
  witness_remove: 'Log removed that this board witnessed',
};

/** The name of an action; its own name if this version does not know it. */
export function actionWords(action: string): string {
  return wordsIn(ACTIONS, action);
}

const VIAS: Readonly<Record<AuditVia, string>> = {
  page: 'Admin pages',
  command: 'Commands',
  setup: 'Setup',
  board: 'The board itself',
};

/** Where actions are taken, as a filter lists it. */
export function viaWords(via: string): string {
  return wordsIn(VIAS, via);
}

function wordsIn(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}

interface Actor {
  /** The codename of the account that acted. */
  actor: string | null;
  via: AuditVia;
}

/** Names the actor, at the end of a sentence about an entry. */
export function actorWords({ actor, via }: Actor): string {
  if (via === 'board') return 'by the board itself';
  if (via === 'command') return 'with a command on the server';
  const name = actor ?? 'an account that was deleted since';
  return via === 'setup' ? `during the setup by ${name}` : `by ${name}`;
}

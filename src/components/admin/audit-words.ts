/** How pages show entries of the audit log. */

const ACTIONS: Readonly<Record<string, string>> = {
  backup: 'Backup made',
  challenge_cancel: 'Challenge canceled',
  challenge_create: 'Challenge created',
  challenge_edit: 'Challenge changed',
  challenge_stop: 'Challenge stopped from repeating',
  end_sessions: 'Sessions ended',
  hide: 'Operator hidden',
  hold: 'Submission put on hold',
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
};

/** The name of an action; its own name if this version does not know it. */
export function actionWords(action: string): string {
  return Object.hasOwn(ACTIONS, action) ? (ACTIONS[action] ?? action) : action;
}

interface Actor {
  /** The codename of the account that acted. */
  actor: string | null;
  via: 'command' | 'page' | 'setup';
}

export function actorWords({ actor, via }: Actor): string {
  if (via === 'command') return 'with a command on the server';
  const name = actor ?? 'an account that was deleted since';
  return via === 'setup' ? `during the setup by ${name}` : `by ${name}`;
}

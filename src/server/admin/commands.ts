/** The words after `opbench-board`. Who adds one adds it to the overview, too. */
import { backup } from './commands/backup.ts';
import { challenge } from './commands/challenge.ts';
import type { Command } from './command.ts';
import { doctor } from './commands/doctor.ts';
import { exportPublicLog } from './commands/export.ts';
import { heldList, submissionList } from './commands/held.ts';
import { importBoard } from './commands/import.ts';
import { init } from './commands/init.ts';
import { key } from './commands/key.ts';
import { loginLink } from './commands/login-link.ts';
import { messages } from './commands/messages.ts';
import { auditList, decide, hideOrUnhide } from './commands/moderation.ts';
import { restore } from './commands/restore.ts';
import { satellite } from './commands/satellite.ts';
import { serve } from './commands/serve.ts';
import { verify } from './commands/verify.ts';

export const COMMANDS: Readonly<Record<string, Command>> = {
  audit: auditList,
  backup,
  challenge,
  doctor,
  export: exportPublicLog,
  held: heldList,
  hide: hideOrUnhide('hide'),
  hold: decide('hold'),
  import: importBoard,
  init,
  key,
  'login-link': loginLink,
  messages,
  reject: decide('reject'),
  release: decide('release'),
  restore,
  satellite,
  serve,
  submissions: submissionList,
  unhide: hideOrUnhide('unhide'),
  verify,
};

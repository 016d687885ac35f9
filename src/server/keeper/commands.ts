/** The words after `opbench-board`. Who adds one adds it to the overview, too. */
import { backup } from './backup.ts';
import { challenge } from './challenge.ts';
import type { Command } from './command.ts';
import { doctor } from './doctor.ts';
import { exportPublicLog } from './export.ts';
import { heldList, submissionList } from './held.ts';
import { importBoard } from './import.ts';
import { init } from './init.ts';
import { key } from './key.ts';
import { loginLink } from './login-link.ts';
import { messages } from './messages.ts';
import { auditList, decide, hideOrUnhide } from './moderation.ts';
import { restore } from './restore.ts';
import { satellite } from './satellite.ts';
import { serve } from './serve.ts';
import { verify } from './verify.ts';

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

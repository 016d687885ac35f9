/** The keeper's decisions about submissions and operators, and the list of them. */
import type { Store } from '#db/store.ts';
import { decideSubmission } from '../commands/decide-submission.ts';
import { hideOperator } from '../commands/hide-operator.ts';
import { readArguments, readLimit } from './arguments.ts';
import { sayNothing, withStore } from './store.ts';
import { UsageError } from './usage-error.ts';

/** How long a server may take until nobody can read what is hidden, and how often that is looked at. */
const MAX_WAIT_MS = 15_000;
const LOOK_MS = 100;

/** So many entries of the audit log are printed. */
const SHOWN = 50;

const DONE = {
  hold: 'is held: it does not count until you release it.',
  release: 'counts again.',
  reject: 'is rejected: it does not count.',
} as const;

/** A command that decides about a submission. */
export function decide(kind: 'hold' | 'reject' | 'release') {
  return (args: string[]): void => {
    const { word: id, reason } = readDecision(args, kind, 'SUBMISSION');
    withStore((store) => {
      decideSubmission({ store, now: () => new Date() }, { kind, id, reason });
      process.stderr.write(`The submission ${id} ${DONE[kind]}\n`);
    });
  };
}

/** A command that hides an operator, or shows it again; it ends when readers get the board without it. */
export function hideOrUnhide(kind: 'hide' | 'unhide') {
  return (args: string[]): void => {
    const { word: name, reason } = readDecision(args, kind, 'CODENAME');
    withStore((store) => {
      const board = { store, now: () => new Date() };
      const log_index = hideOperator(board, { kind, name, reason });
      const isPublic = waitUntil(() => isPublished(store, kind, log_index));
      const outcome = kind === 'hide' ? 'is hidden from everybody' : 'is shown again';
      const told = isPublic
        ? `${name} ${outcome}.`
        : `This is stored, but no server has noticed it in ${MAX_WAIT_MS / 1000} seconds: ${name} ${outcome} when one starts.`;
      process.stderr.write(`${told}\n`);
    });
  };
}

/** Prints what keepers did, newest first. */
export function auditList(args: string[]): void {
  const options = { limit: { type: 'string' }, json: { type: 'boolean' } } as const;
  const usage = 'audit takes --limit and --json';
  const { values } = readArguments(args, { options, words: 0, usage });
  const { json = false } = values;
  const limit = readLimit(values.limit, SHOWN);
  withStore((store) => {
    const entries = store.auditLog.newest(limit);
    if (json) return void process.stdout.write(`${JSON.stringify({ entries })}\n`);
    if (entries.length === 0) return sayNothing('No keeper did anything yet.');
    for (const { created_at, action, subject, codename, reason } of entries) {
      const whom = codename === null || codename === subject ? '' : ` (${codename})`;
      const why = reason === null ? '' : `: ${reason}`;
      process.stdout.write(`${created_at} ${action} ${subject}${whom}${why}\n`);
    }
  });
}

/** The one word that a decision is about, and why. */
function readDecision(args: string[], kind: string, word: string) {
  const options = { reason: { type: 'string' } } as const;
  const usage = `${kind} takes one ${word} and --reason`;
  const { values, positionals } = readArguments(args, { options, words: 1, usage });
  const { reason } = values;
  if (reason === undefined) throw new UsageError(`${kind} needs --reason`);
  return { word: positionals[0] ?? '', reason };
}

/** What hides has to replace all earlier publications, which cursors lead to. */
function isPublished({ publications }: Store, kind: 'hide' | 'unhide', log_index: number): boolean {
  return kind === 'hide'
    ? publications.hasReplacedAll(log_index)
    : publications.isPublic(log_index);
}

function waitUntil(holds: () => boolean): boolean {
  const endMs = performance.now() + MAX_WAIT_MS;
  while (!holds()) {
    if (performance.now() > endMs) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
  }
  return true;
}

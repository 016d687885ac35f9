/** The admin's decisions about submissions and operators, and the list of them. */
import type { Store } from '#db/store.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { type Command, EXIT, LIMIT, command } from '../command.ts';
import { withStore } from '../store.ts';

/** How long a server may take until nobody can read what is hidden, and how often that is looked at. */
const MAX_WAIT_MS = 15_000;
const LOOK_MS = 100;

const SHOWN = 50;

const DONE = {
  hold: 'is held: it does not count until you release it.',
  release: 'counts again.',
  reject: 'is rejected: it does not count.',
} as const;

const WITHDRAWN = 'stays withdrawn. Your decision applies if its operator restores it.';

const EFFECTS = {
  hold: 'it does not count\nuntil you release or reject it.',
  release: 'it counts\nagain, and checks let it pass.',
  reject: 'it does not\ncount.',
} as const;

/** Who reads the reason of a decision. */
const READERS = `The reason is told to the operator, and stands in the public log as long as
everybody may see the operator.`;

export function decide(kind: 'hold' | 'reject' | 'release'): Command {
  return command({
    help: `opbench-board ${kind} SUBMISSION --reason REASON [--json]: ${EFFECTS[kind]}
${READERS} "held" and "submissions" show the ids.

Example: opbench-board ${kind} 0196f7c2-7d0b-7c36-9d4c-0f6b2a1e5d11 \\
  --reason "As we agreed by mail"

--json prints {"id", "decision", "reason"}.
`,
    options: { reason: 'needed' },
    word: 'SUBMISSION',
    run({ values: { reason }, word: id }, output) {
      withStore((store) => {
        decideSubmission({ store, now: () => new Date() }, { kind, id, reason });
        output.result({ id, decision: kind, reason });
        const isWithdrawn = store.submissions.byId(id)?.state === 'withdrawn';
        output.note(`The submission ${id} ${isWithdrawn ? WITHDRAWN : DONE[kind]}`);
      });
      return EXIT.ok;
    },
  });
}

/** A command that hides an operator, or shows it again; it ends when readers get the board without it. */
export function hideOrUnhide(kind: 'hide' | 'unhide'): Command {
  const effect = kind === 'hide' ? 'shows an operator to nobody' : 'shows an operator again';
  return command({
    help: `opbench-board ${kind} CODENAME --reason REASON [--json]: ${effect}.
It ends once readers get the board that way, or after ${MAX_WAIT_MS / 1000} seconds without a server.
CODENAME may be the name that everybody sees of who is anonymous.
${READERS}

Example: opbench-board ${kind} ada --reason "As we agreed by mail"

--json prints {"codename", "decision", "reason", "is_public"}; "is_public" is
false if no server has noticed it yet.
`,
    options: { reason: 'needed' },
    word: 'CODENAME',
    run({ values: { reason }, word: name }, output) {
      withStore((store) => {
        const board = { store, now: () => new Date() };
        const log_index = hideOperator(board, { kind, name, reason });
        const is_public = waitUntil(() => isPublished(store, kind, log_index));
        output.result({ codename: name, decision: kind, reason, is_public });
        output.note(outcomeOf(kind, name, is_public));
      });
      return EXIT.ok;
    },
  });
}

function outcomeOf(kind: 'hide' | 'unhide', name: string, isPublic: boolean): string {
  const outcome = kind === 'hide' ? 'is hidden from everybody' : 'is shown again';
  if (isPublic) return `${name} ${outcome}.`;
  return `This is stored, but no server has noticed it in ${MAX_WAIT_MS / 1000} seconds: ${name} ${outcome} when one starts.`;
}

export const auditList = command({
  help: `opbench-board audit [--limit N] [--json]: what keepers did, newest first, ${SHOWN}
unless --limit says otherwise.

Example: opbench-board audit --limit 10

--json prints {"entries": [{"created_at", "action", "subject", "codename",
"reason", ...}]}.
`,
  options: { limit: LIMIT },
  run({ values: { limit = SHOWN } }, output) {
    withStore((store) => {
      const entries = store.auditLog.newest(limit);
      const lines = entries.map(({ created_at, action, subject, codename, reason }) => {
        const whom = codename === null || codename === subject ? '' : ` (${codename})`;
        const why = reason === null ? '' : `: ${reason}`;
        return `${plain(`${created_at} ${action} ${subject}${whom}${why}`)}\n`;
      });
      output.result({ entries }, lines.join(''));
      if (entries.length === 0) output.note('No keeper did anything yet.');
    });
    return EXIT.ok;
  },
});

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

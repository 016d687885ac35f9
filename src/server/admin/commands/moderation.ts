/** Decisions about submissions and operators. */
import { ELSEWHERE_WORDS } from '#server/object-store/elsewhere-text.ts';
import type { Store } from '#db/store.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { type Command, EXIT, command } from '../command.ts';
import { withStore } from '../store.ts';

/** How long to wait for the server's update, and how often to check for it, in milliseconds. */
const MAX_WAIT_MS = 15_000;
const POLL_MS = 100;

const DONE = {
  hold: 'is on hold. It does not count until you release it.',
  release: 'counts again.',
  reject: 'is rejected. It does not count.',
} as const;

const WITHDRAWN = 'stays withdrawn. Your decision applies if the operator restores it.';

const EFFECTS = {
  hold: {
    summary: 'put a submission on hold until you decide',
    detail: 'The submission does not count until you release or reject it.',
  },
  release: {
    summary: 'count a submission again',
    detail: 'Automatic checks do not put the same days on hold again.',
  },
  reject: { summary: 'stop counting a submission', detail: 'The submission does not count.' },
} as const;

/** The readers of a decision's reason. */
const READERS = `The operator sees the reason. While the operator is public, the reason is also in
the public log.`;

export function decide(kind: 'hold' | 'reject' | 'release'): Command {
  return command({
    help: `opbench-board ${kind}: ${EFFECTS[kind].summary}

Usage: opbench-board ${kind} SUBMISSION --reason TEXT [--json]

  SUBMISSION     the ID, from "opbench-board held" or "opbench-board submissions"
  --reason TEXT  the reason
  --json         print JSON

${EFFECTS[kind].detail}
${READERS}

Example: opbench-board ${kind} 0196f7c2-7d0b-7c36-9d4c-0f6b2a1e5d11 \\
  --reason "As agreed by email"
`,
    json: `opbench-board ${kind} --json prints one object:

  id        the submission
  decision  ${kind}
  reason    the reason
`,
    options: { reason: 'needed' },
    word: 'SUBMISSION',
    run({ values: { reason }, word: id }, output, settings) {
      withStore(settings, (store) => {
        decideSubmission({ store, now: () => new Date() }, { kind, id, reason });
        output.result({ id, decision: kind, reason });
        const isWithdrawn = store.submissions.byId(id)?.state === 'withdrawn';
        output.note(`The submission ${id} ${isWithdrawn ? WITHDRAWN : DONE[kind]}`);
      });
      return EXIT.ok;
    },
  });
}

/** A command that hides an operator or shows it again, and waits until the server has updated the board. */
export function hideOrUnhide(kind: 'hide' | 'unhide'): Command {
  const effect =
    kind === 'hide' ? 'hide an operator from everyone' : 'show a hidden operator again';
  return command({
    help: `opbench-board ${kind}: ${effect}

Usage: opbench-board ${kind} CODENAME --reason TEXT [--json]

  CODENAME       the operator; for an anonymous operator, also the public name
  --reason TEXT  the reason
  --json         print JSON

The command waits until the running server has updated the board, for at most
${MAX_WAIT_MS / 1000} seconds. Without a server, the change takes effect when one starts.

${READERS}

Example: opbench-board ${kind} ada --reason "As agreed by email"
`,
    json: `opbench-board ${kind} --json prints one object:

  codename   the operator
  decision   ${kind}
  reason     the reason
  is_public  false if no server has updated the board yet
`,
    options: { reason: 'needed' },
    word: 'CODENAME',
    run({ values: { reason }, word: name }, output, settings) {
      withStore(settings, (store) => {
        const board = { store, now: () => new Date() };
        const log_index = hideOperator(board, { kind, name, reason });
        const is_public = waitUntil(() => isPublished(store, kind, log_index));
        output.result({ codename: name, decision: kind, reason, is_public });
        output.note(outcomeOf(kind, name, is_public));
        const isElsewhere =
          kind === 'hide' && (settings.environment['OBJECT_STORE_URL'] ?? '') !== '';
        if (isElsewhere) output.note(ELSEWHERE_WORDS);
      });
      return EXIT.ok;
    },
  });
}

function outcomeOf(kind: 'hide' | 'unhide', name: string, isPublic: boolean): string {
  const outcome = kind === 'hide' ? 'is hidden from everyone' : 'is visible again';
  if (isPublic) return `${name} ${outcome}.`;
  return `Saved, but no server updated the board within ${MAX_WAIT_MS / 1000} seconds. ${name} ${outcome} as soon as a server does.`;
}

/** Hiding must replace every earlier publication, because cursors of readers may point to one. */
function isPublished({ publications }: Store, kind: 'hide' | 'unhide', log_index: number): boolean {
  return kind === 'hide'
    ? publications.hasReplacedAll(log_index)
    : publications.isPublic(log_index);
}

function waitUntil(holds: () => boolean): boolean {
  const endMs = performance.now() + MAX_WAIT_MS;
  while (!holds()) {
    if (performance.now() > endMs) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
  return true;
}

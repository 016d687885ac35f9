/** Submissions on hold, with the evidence for a decision. */
import type { ShownCheck } from '#db/checks.ts';
import { challengeStatus, closesAtMs } from '#core/domain/board/challenge.ts';
import { DAY_MS } from '#core/domain/counting/day.ts';
import type { CheckId } from '#core/schema/moderation.ts';
import type { Copies, Deadline, Note, PendingDecision } from '#core/schema/pending-decision.ts';
import type { AppContext } from '../context.ts';
import { findingText } from '../counting/check-findings.ts';
import { decisionOf } from '../counting/submission-state.ts';
import { type UsualDays, copiedDays, countedDays, evidenceOf, submittedDays } from './evidence.ts';

/** How many submissions a page shows. */
export const DECISIONS_PER_PAGE = 10;
/** How many days a table shows. */
const SHOWN_DAYS = 20;
/** How many notes a page shows, and how old they can be, in milliseconds. */
const SHOWN_NOTES = 20;
const NOTED_MS = 30 * DAY_MS;
/** The checks about how the counts of several days look. */
const PATTERNS: readonly CheckId[] = ['repeated_days', 'round_counts', 'round_series'];

type HeldRow = ReturnType<AppContext['store']['moderation']['held']>[number];
type Submission = NonNullable<ReturnType<AppContext['store']['submissions']['byId']>>;

/** A page of submissions on hold. Those for a challenge that closes soon come first, then those that wait longest. */
export function readDecisions(ctx: AppContext, page: number) {
  const { store } = ctx;
  const challenges = openChallenges(ctx);
  const rows = store.moderation.held().flatMap((row) => {
    const submission = store.submissions.byId(row.id);
    return submission ? [{ row, submission, deadline: deadlineOf(submission, challenges) }] : [];
  });
  rows.sort((a, b) => urgencyOf(a) - urgencyOf(b) || a.row.decided_at - b.row.decided_at);
  const start = (page - 1) * DECISIONS_PER_PAGE;
  const usual = store.checks.usualDays();
  return {
    total: rows.length,
    pending: rows
      .slice(start, start + DECISIONS_PER_PAGE)
      .map(({ row, submission, deadline }) => pendingOf(ctx, { row, submission, deadline, usual })),
    hasNext: rows.length > start + DECISIONS_PER_PAGE,
  };
}

/** The newest notes of checks. They change nothing, but show where cheating may be too small to put on hold. */
export function readNotes({ store, now }: AppContext): Note[] {
  const since = new Date(now().getTime() - NOTED_MS).toISOString();
  return store.checks.notes(since, SHOWN_NOTES).map(({ codename, found_at, ...row }) => {
    return { codename, found_at, text: findingText(row) };
  });
}

function openChallenges({ store, now }: AppContext) {
  const nowMs = now().getTime();
  return store.challenges
    .all()
    .filter((row) => ['active', 'scoring'].includes(challengeStatus(row, nowMs)))
    .sort((a, b) => closesAtMs(a) - closesAtMs(b));
}

function deadlineOf(
  { first_day, last_day, keyid, tools }: Submission,
  challenges: ReturnType<typeof openChallenges>,
): Deadline | null {
  // Only signed submissions count in challenges.
  const next = challenges.find((row) => {
    const isTool = row.tool === null || (JSON.parse(tools) as string[]).includes(row.tool);
    return keyid !== null && isTool && first_day <= row.last_day && last_day >= row.first_day;
  });
  if (!next) return null;
  return {
    id: next.id,
    title: next.title,
    closes_at: new Date(closesAtMs(next)).toISOString(),
  };
}

function urgencyOf({ deadline }: { deadline: Deadline | null }): number {
  return deadline ? Date.parse(deadline.closes_at) : Number.MAX_SAFE_INTEGER;
}

interface Held {
  row: HeldRow;
  submission: Submission;
  deadline: Deadline | null;
  usual: UsualDays;
}

function pendingOf(ctx: AppContext, { row, submission, deadline, usual }: Held): PendingDecision {
  const { store } = ctx;
  const { operator_id, log_index, device_id, keyid } = submission;
  const account = store.operators.byId(operator_id);
  const devices = store.accountData.devices(operator_id);
  const device = devices.find(({ id }) => id === device_id);
  const ofAccount = store.checks.ofOperator(operator_id);
  const checks = ofAccount.filter(({ id }) => id === row.id);
  const held = submittedDays(store, log_index);
  const { by, reason } = decisionOf(row);
  return {
    ticket: ticketOf(row),
    submission,
    account: {
      codename: submission.codename,
      created_at: account?.created_at ?? submission.received_at,
      role: account?.role ?? 'operator',
    },
    device: keyid !== null && device ? deviceOf(device) : null,
    isFirst: store.submissions.page({ operator_id, signed: false }, log_index, 1).length === 0,
    heldAt: row.received_at,
    reason: by === 'keeper' ? reason : null,
    findings: checks.map((check) => ({
      text: findingText(check),
      isHold: check.verdict === 'hold',
    })),
    evidence: evidenceOf(held, countedDays(store, operator_id), { checks, usual }),
    copies: copiesOf(store, checks, held),
    patterns: patternsOf(store, checks, ofAccount),
    deadline,
  };
}

function deviceOf({ label, created_at }: { label: string; created_at: string }) {
  return { label, enrolled_at: created_at };
}

function copiesOf(
  store: AppContext['store'],
  checks: readonly ShownCheck[],
  held: ReturnType<typeof submittedDays>,
): Copies[] {
  const found = checks.filter(({ check_id }) => check_id === 'equal_vectors');
  return found.map(({ against, days: stored }) => {
    const other = against === null ? undefined : store.operators.byId(against);
    if (!other) return { codename: null, days: [], more: 0 };
    const days = Object.keys(JSON.parse(stored) as Record<string, number>);
    const copied = copiedDays(held, countedDays(store, other.id), days);
    const shown = copied.slice(0, SHOWN_DAYS);
    return { codename: other.codename, days: shown, more: copied.length - shown.length };
  });
}

/** The days whose counts repeat each other or end in zeros, also those in other submissions on hold. */
function patternsOf(
  store: AppContext['store'],
  checks: readonly ShownCheck[],
  ofAccount: readonly ShownCheck[],
): PendingDecision['patterns'] {
  const own = checks.filter(({ check_id }) => PATTERNS.includes(check_id));
  const related = ofAccount.filter((check) => {
    const isSame = own.some(({ check_id, tool }) => {
      return check_id === check.check_id && tool === check.tool;
    });
    return isSame && check.verdict === 'hold' && check.state === 'held';
  });
  const bySubmission = Map.groupBy(related, ({ submission }) => submission);
  const concerned = [...bySubmission].slice(0, SHOWN_DAYS).flatMap(([submission, found]) => {
    return submittedDays(store, submission).filter(({ day, tool }) => {
      return found.some((check) => {
        const isTool = check.tool === '' || check.tool === tool;
        return isTool && Object.hasOwn(JSON.parse(check.days) as object, day);
      });
    });
  });
  concerned.sort((a, b) => (a.day < b.day ? -1 : 1));
  const days = concerned.slice(0, SHOWN_DAYS);
  return { days, more: concerned.length - days.length };
}

function ticketOf({ id, decided_at }: Pick<HeldRow, 'decided_at' | 'id'>): string {
  return `${id}.${decided_at}`;
}

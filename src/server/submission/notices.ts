/** Notices for the owner of an account about checks, and about decisions and answers of admins. */
import { DAY_MS } from '#core/domain/counting/day.ts';
import type { Check, Notice } from '#core/schema/moderation.ts';
import { SHOWN_CHECKS } from '#core/schema/shown.ts';
import type { AppContext } from '../context.ts';
import { checkOf } from '../counting/check-findings.ts';
import type { Operator } from '../operator/operator.ts';
import { decisionOf } from '../counting/submission-state.ts';

type ShownCheck = ReturnType<AppContext['store']['checks']['ofOperator']>[number];

/** The most notices of decisions, and of findings that change nothing. */
const MAX_DECIDED = 50;
const MAX_NOTED = 5;
/** How long a notice points to an answer, in milliseconds. */
const ANSWERED_MS = 30 * DAY_MS;

/** Most serious first, newest first within each kind. */
export function readNotices(ctx: AppContext, operator: Operator): Notice[] {
  const checks = ctx.store.checks.ofOperator(operator.id);
  return [
    ...hiddenNotices(ctx, operator),
    ...decided(ctx, operator, checks),
    ...answered(ctx, operator),
    ...noted(checks),
  ];
}

function hiddenNotices(ctx: AppContext, { id, hidden_at }: Operator): Notice[] {
  if (hidden_at === null) return [];
  const hidden = ctx.store.auditLog.ofOperator(id).findLast(({ action }) => action === 'hide');
  const reason = hidden?.reason ?? null;
  const about = { submission: null, since: hidden_at, checks: [] };
  return [{ kind: 'hidden', ...about, reason, advice: adviceOf(ctx, 'you disagree') }];
}

function decided(ctx: AppContext, { id }: Operator, checks: readonly ShownCheck[]): Notice[] {
  const bySubmission = Map.groupBy(checks, ({ id: submission }) => submission);
  return ctx.store.moderation.decided(id, MAX_DECIDED).map((row) => {
    const { by, reason } = decisionOf(row);
    return {
      kind: row.state,
      submission: row.id,
      since: row.received_at,
      reason: by === 'keeper' ? reason : null,
      checks: shownChecks(ctx, bySubmission.get(row.id) ?? []),
      advice: adviceOf(ctx, 'the numbers are right'),
    };
  });
}

/** Points to the newest answer. Its text is only in the settings, because programs and assistants also read notices. */
function answered({ store, config, now }: AppContext, { id }: Operator): Notice[] {
  const since = store.contactAnswers.lastTo(id);
  if (since === null || now().getTime() - Date.parse(since) > ANSWERED_MS) return [];
  const advice = `Read the answer: ${config.baseUrl}/settings/data#messages`;
  return [{ kind: 'answered', submission: null, since, reason: null, checks: [], advice }];
}

function shownChecks(ctx: AppContext, found: readonly ShownCheck[]): Check[] {
  return found.slice(0, SHOWN_CHECKS).map((check) => explained(ctx, check));
}

/** A finding. For copied counts, also names the other account if it has a page, and says what to do. */
function explained({ store }: AppContext, row: ShownCheck): Check {
  const check = checkOf(row);
  if (row.check_id !== 'equal_vectors') return check;
  const other = row.against === null ? undefined : store.operators.byId(row.against);
  const first =
    other?.is_open === 1
      ? `The other account is ${other.codename}.`
      : 'The other account has no public page.';
  const advice = 'If both accounts are yours, submit from one of them only.';
  return { ...check, text: `${check.text} ${first} ${advice}` };
}

/** One notice for each check and tool, because a device that submits daily would otherwise get the same one daily. */
function noted(checks: readonly ShownCheck[]): Notice[] {
  const newest = new Map<string, ShownCheck>();
  for (const check of checks) {
    const name = `${check.check_id}\n${check.tool}`;
    const isNoted = check.verdict === 'note' && check.state === 'accepted';
    if (isNoted && !newest.has(name)) newest.set(name, check);
  }
  return [...newest.values()].slice(0, MAX_NOTED).map((check) => ({
    kind: 'noted',
    submission: check.id,
    since: check.found_at,
    reason: null,
    checks: [checkOf(check)],
    advice: null,
  }));
}

function adviceOf({ config }: AppContext, condition: string): string {
  return `If ${condition}, contact the admin: ${config.baseUrl}/settings/data#contact`;
}

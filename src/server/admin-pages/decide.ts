/** Runs the decisions that an admin or moderator sends from a page. */
import { DomainError } from '#core/domain/text/errors.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { AdminReason } from '#core/schema/moderation.ts';
import type { AppContext } from '../context.ts';
import { decideYielding } from '../submission/decide-submission.ts';
import { type Admin, refuseActingOn } from './admin-page.ts';

/** What others read if an admin releases a submission without a reason. */
const RELEASED = 'Reviewed by an admin';

interface DecisionForm {
  kind: 'reject' | 'release';
  /** The submissions, each with the hold that the admin looked at. */
  tickets: readonly string[];
  /** Optional for a release. */
  reason: string;
}

interface Decided {
  kind: DecisionForm['kind'];
  done: number;
  /** Why the others were not decided. */
  refused: string[];
}

/**
 * Decides submissions one after the other and updates the board. One that somebody else decided in the meantime does
 * not stop the others.
 */
export async function decideAll(
  ctx: AppContext,
  admin: Pick<Admin, 'actor' | 'role'>,
  { kind, tickets, ...form }: DecisionForm,
): Promise<Decided> {
  const given = form.reason.trim() === '' && kind === 'release' ? RELEASED : form.reason.trim();
  const reason = parseAs(AdminReason, given, 'The reason');
  if (tickets.length === 0) throw new DomainError('validation_failed', 'Select a submission');
  const refused: string[] = [];
  for (const ticket of tickets) {
    const text = await refusalOf(() => decideOne(ctx, admin, { kind, ticket, reason }));
    if (text !== null) refused.push(text);
  }
  const done = tickets.length - refused.length;
  if (done > 0) await ctx.publications.publishNow({ hides: false });
  return { kind, done, refused };
}

async function decideOne(
  ctx: AppContext,
  admin: Pick<Admin, 'actor' | 'role'>,
  { kind, ticket, reason }: Pick<DecisionForm, 'kind'> & { ticket: string; reason: string },
): Promise<void> {
  const [, id, hold] = /^([\da-f-]{36})\.(\d{1,15})$/.exec(ticket) ?? [];
  const submission = id === undefined ? undefined : ctx.store.submissions.byId(id);
  const owner = submission && ctx.store.operators.byId(submission.operator_id);
  if (!owner || id === undefined) {
    throw new DomainError('not_found', 'The submission does not exist any more');
  }
  refuseActingOn(admin, owner);
  await decideYielding(ctx, { kind, id, reason, seen: Number(hold), by: admin.actor });
}

/** Puts a submission on hold, for example while an admin asks its owner. */
export async function holdById(
  ctx: AppContext,
  admin: Pick<Admin, 'actor' | 'role'>,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const submission = ctx.store.submissions.byId(id);
  const owner = submission && ctx.store.operators.byId(submission.operator_id);
  if (!owner) throw new DomainError('not_found', 'There is no submission with this ID');
  refuseActingOn(admin, owner);
  await decideYielding(ctx, { kind: 'hold', id, reason: reason.trim(), by: admin.actor });
  await ctx.publications.publishNow({ hides: false });
}

/** The text of a rejection; null if there was none. */
async function refusalOf(act: () => Promise<void>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

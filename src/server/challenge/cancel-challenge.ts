import { challengeStatus } from '#core/domain/board/challenge.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { AdminReason } from '#core/schema/moderation.ts';
import { type Actor, audit } from '../process/admin-actions.ts';
import type { AppContext } from '../context.ts';

/** Cancels a challenge; it stays listed with the reason. */
export function cancelChallenge(
  store: AppContext['store'],
  { id, reason, now, by }: { id: string; reason: string; now: Date; by?: Actor },
): void {
  const cancelled_reason = parseAs(AdminReason, reason, 'The reason');
  store.transaction(() => {
    const row = store.challenges.byId(id);
    if (!row) throw new DomainError('not_found', `There is no challenge "${id}"`);
    const status = challengeStatus(row, now.getTime());
    if (status === 'complete' || status === 'cancelled') {
      throw new DomainError(
        'state_conflict',
        `The challenge ${id} is already ${status === 'cancelled' ? 'canceled' : status}`,
      );
    }
    store.challenges.cancel({ id, cancelled_at: now.toISOString(), cancelled_reason });
    const about = { subject: id, operator_id: null, reason: cancelled_reason };
    audit(store, { action: 'challenge_cancel', ...about, now, by });
  });
}

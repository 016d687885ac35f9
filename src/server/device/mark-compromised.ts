import { settleGroup } from '#core/domain/counting/counting.ts';
import type { Board } from '../context.ts';
import { changeWithinLimits } from '../operator/operator-limits.ts';

/**
 * Revokes a device as compromised: what it ever sent is as if it were withdrawn, and what it kept from
 * counting counts again. Does nothing if that was done before. Call it inside a transaction.
 *
 * @throws {DomainError} `count_out_of_range` or `too_many_sources` if what then counts is too much.
 */
export function recallDevice(ctx: Board, device_id: number): void {
  const { store } = ctx;
  const now = ctx.now();
  const device = store.devices.byId(device_id);
  if (!device || !store.deviceRecalls.revoke(device_id, now.toISOString())) return;
  const { operator_id, keyid, public_id } = device;
  const operator = store.operators.byId(operator_id)?.public_id;
  const { log_index } = store.log.append({
    kind: 'revoke',
    operator_id,
    payload: { operator, device: public_id, keyid, reason: 'compromised' },
    now,
  });
  const nothing = {
    device_id,
    log_index,
    trust: 'signed',
    correction: null,
    buckets: [],
  } as const;
  changeWithinLimits(ctx, operator_id, () => {
    for (const group of store.deviceRecalls.groupsOf(device_id)) {
      const before = store.buckets.group({ operator_id, ...group });
      const others = before.filter((bucket) => bucket.device_id !== device_id);
      store.buckets.replaceGroups(operator_id, before, settleGroup(others, nothing));
    }
  });
  store.deviceRecalls.withdraw(device_id);
  store.operators.touch(operator_id, log_index);
}

import type { RevokedReason } from '#core/schema/operator.ts';
import type { Board } from '../context.ts';

/** Revokes a key and enters that in the log. Call it inside a transaction. */
export function revokeKey(ctx: Board, keyid: string, reason: RevokedReason): void {
  const { store } = ctx;
  const now = ctx.now();
  const key = store.devices.key(keyid);
  if (!key || !store.devices.revokeKey(keyid, reason, now.toISOString())) return;
  const operator = store.operators.byId(key.operator_id)?.public_id;
  const device = store.devices.byId(key.device_id)?.public_id;
  store.log.append({
    kind: 'revoke',
    operator_id: key.operator_id,
    payload: { operator, device, keyid, reason },
    now,
  });
}

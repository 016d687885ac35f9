import type * as z from 'zod';
import { SNAPSHOT_LIMIT_BYTES } from '#core/contract/limits.ts';
import type { submitSnapshotTool } from '#core/contract/mcp/own-tools.ts';
import type { Caller } from '#core/schema/session.ts';
import { submitRecords, tryRecords } from '../submission/submit-records.ts';
import { submitSnapshot, trySnapshot } from '../submission/submit-snapshot.ts';
import type { AppContext } from '../context.ts';
import { tooLarge } from '../http/request/body.ts';

/**
 * Submits what a caller gave, as `POST /api/v1/snapshots` does, within the same limits. A signature
 * proves who counted and not who asks, so an envelope has to be of a device of the caller.
 *
 * @throws {DomainError} for every refusal; see the route's `errors`.
 */
export async function submit(
  ctx: AppContext,
  caller: Caller,
  { envelope, records, idempotency_key, dry_run }: z.output<typeof submitSnapshotTool.input>,
): Promise<z.output<typeof submitSnapshotTool.output>> {
  // What is signed is the text inside `payload`, which stays as it came.
  const text = JSON.stringify(envelope ?? { records });
  if (Buffer.byteLength(text) > SNAPSHOT_LIMIT_BYTES) {
    throw tooLarge({ bodyLimitBytes: SNAPSHOT_LIMIT_BYTES });
  }
  if (envelope && dry_run) return trySnapshot(ctx, text, caller);
  if (envelope) return (await submitSnapshot(ctx, text, caller)).answer;
  ctx.limiter.take('writes', String(caller.operator_id));
  const sent = { text, idempotencyKey: idempotency_key };
  return dry_run ? tryRecords(ctx, caller, sent) : (await submitRecords(ctx, caller, sent)).answer;
}

/** Operators with counted usage, for tests of boards that do not depend on how it was submitted. */
import { randomUUID } from 'node:crypto';
import type { Trust } from '#core/schema/submission.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { NOW, aCountedBucket, bucketsOfDays } from './builders.ts';
import { type TestContext, anOperator, publish, testContext } from './context.ts';

/** An operator, created if needed, with these buckets added: on a new device, or self-reported. */
export function anActive(
  ctx: TestContext,
  codename: string,
  buckets: readonly Bucket[],
  trust: Trust = 'signed',
): void {
  const { store } = ctx;
  const { id } = store.operators.byCodename(codename) ?? anOperator(ctx, codename);
  const device_id = aDeviceOf(ctx, id, trust);
  store.transaction(() => {
    const entry = { kind: 'snapshot', operator_id: id, payload: {}, now: ctx.now() } as const;
    const { log_index } = store.log.append(entry);
    const stated = buckets.map((bucket) => {
      return aCountedBucket({ ...bucket, device_id, log_index, trust });
    });
    store.buckets.replaceGroups(id, [], stated);
    store.operators.touch(id, log_index);
  });
}

/** Ten days of usage, enough to be ranked in 30 days. */
export function tenDays(over: Parameters<typeof bucketsOfDays>[2] = {}): Bucket[] {
  return bucketsOfDays(10, '2026-03-01', over);
}

/** A board with this many ranked operators in tied pairs, and one unranked operator. */
export function aBoard(operators: number): TestContext {
  const ctx = testContext();
  anActive(ctx, 'unranked', bucketsOfDays(1, '2026-03-09'));
  for (let at = 0; at < operators; at += 1) {
    anActive(ctx, `op-${at}`, tenDays({ output: 10_000 + (at >> 1) }));
  }
  publish(ctx);
  return ctx;
}

/** Deletes an operator's rows, and publishes nothing. */
export function deleteOperator(ctx: TestContext, codename: string): void {
  const operator = ctx.store.operators.byCodename(codename);
  if (!operator) return;
  ctx.store.transaction(() => {
    ctx.store.erasure.begin(operator, NOW);
    ctx.store.erasure.end(operator.id);
  });
}

function aDeviceOf({ store }: TestContext, operator_id: number, trust: Trust): number {
  const made = { public_id: randomUUID(), operator_id, created_at: NOW };
  if (trust === 'self_reported') {
    return store.devices.selfReporting(operator_id) ?? store.devices.addSelfReporting(made);
  }
  return store.devices.add({ ...made, installation_id: randomUUID(), label: 'Laptop' });
}

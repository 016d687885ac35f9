/** Devices that replace others, and an independent computation of what then counts. */
import { bucketKey } from '#core/domain/counting/bucket.ts';
import type { CountedBucket } from '#core/domain/counting/counting.ts';
import { readStatement } from '#core/domain/log/logged-statement.ts';
import { revokeDevice } from '#server/device/revoke-device.ts';
import { databasePath } from '#server/config/config.ts';
import { checkWholeBoard } from '#server/verify/check.ts';
import { type TestDevice, aBucket, aDevice } from './builders.ts';
import {
  MIGRATIONS,
  type TestContext,
  anEnrolledDevice,
  enroll,
  publishAndKeep,
  query,
  submit,
  testContext,
} from './context.ts';
import { exportOf, verify } from './public-log.ts';
import { replay } from './replay.ts';

export const DOUBLED_DAY = '2026-03-01';

/** The board's ID of a test's device, found by its signing key. */
export function idsOf(ctx: TestContext, { keyid }: TestDevice) {
  const { operator_id = 0, device_id = 0 } = ctx.store.devices.key(keyid) ?? {};
  const { public_id = '' } = ctx.store.devices.byId(device_id) ?? {};
  return { operator_id, device_id, public_id };
}

/** Two devices of one account that report the same day twice, and an unrelated third one. */
export async function aDoubledDay() {
  const ctx = testContext();
  const old = await anEnrolledDevice(ctx, 'ada');
  const own = await anEnrolledDevice(ctx, 'ada');
  const other = await anEnrolledDevice(ctx, 'ada');
  const day = DOUBLED_DAY;
  await submit(ctx, old, [aBucket({ day, output: 20_000 }), aBucket({ day: '2026-02-20' })]);
  await submit(ctx, own, [aBucket({ day, output: 20_400 }), aBucket({ day: '2026-02-25' })]);
  await submit(ctx, other, [aBucket({ day, output: 7 })]);
  return { ctx, old, own, other };
}

export function revoke(ctx: TestContext, device: TestDevice, reason: 'compromised' | 'revoked') {
  const { operator_id, public_id } = idsOf(ctx, device);
  return revokeDevice(ctx, { operator_id, device_id: null }, public_id, reason);
}

/** The enrollments in the log. */
export function enrollEntries(ctx: TestContext): { device: string; replaces?: string }[] {
  const rows = query<{ payload: Buffer }>(
    ctx,
    `SELECT payload FROM log_entries WHERE kind = 'enroll' ORDER BY log_index`,
  );
  return rows.map(({ payload }) => JSON.parse(payload.toString()) as { device: string });
}

/** Enrolls a device that replaces another one of the same account, whose key may have changed. */
export async function replace(
  ctx: TestContext,
  old: TestDevice,
  { by, label = 'Desk' }: { by?: TestDevice; label?: string } = {},
): Promise<TestDevice> {
  const device = by ?? (await aDevice());
  const { operator_id, public_id } = idsOf(ctx, old);
  await enroll(ctx, { id: operator_id }, device, { replaces: public_id, label });
  return device;
}

/** The same installation with another key. */
export function renewed({ installation_id }: TestDevice): Promise<TestDevice> {
  return aDevice(installation_id);
}

/**
 * What counts according to the log if each group of keys is one device, and every other key is a device of its own.
 * Only accepted submissions are included, by their state in the table.
 */
export function asIfOne(ctx: TestContext, ...devices: readonly TestDevice[][]): string[] {
  const deviceOf = new Map(
    devices.flatMap((keys, at) => keys.map(({ keyid }) => [keyid, at] as const)),
  );
  const rows = query<{ log_index: number; payload: Buffer; keyid: string }>(
    ctx,
    `SELECT s.log_index, e.payload, s.keyid FROM submissions s JOIN log_entries e USING (log_index)
     WHERE s.state = 'accepted' ORDER BY s.log_index`,
  );
  const submissions = rows.map(({ log_index, payload, keyid }) => {
    const { correction, buckets } = readStatement(payload.toString());
    const device_id = deviceOf.get(keyid) ?? 1000 + deviceOf.size;
    if (!deviceOf.has(keyid)) deviceOf.set(keyid, device_id);
    return { device_id, log_index, trust: 'signed' as const, correction, buckets };
  });
  return told(replay(submissions));
}

/** What counts on the board, in the same form. */
export function standing(ctx: TestContext, operator_id = 1): string[] {
  return told(ctx.store.buckets.ofDays({ operator_id, from: '', to: '9' }));
}

/** Buckets without the numbers of their devices, which differ. */
function told(buckets: readonly CountedBucket[]): string[] {
  return buckets
    .map((bucket) => {
      const { input, output, log_index, counts, counted } = bucket;
      const content = [input, output, log_index, counts, counted.input, counted.output];
      return `${bucketKey(bucket).replaceAll('\n', ' ')}: ${content.join(' ')}`;
    })
    .sort();
}

/** The faults found by the verification of an admin and of the public, after a publication. */
export async function findingsOf(ctx: TestContext): Promise<string[]> {
  publishAndKeep(ctx);
  const whole = await checkWholeBoard(databasePath(ctx.config), {
    baseUrl: ctx.config.baseUrl,
    migrations: MIGRATIONS,
    past: null,
    copy: null,
    everyDay: true,
  });
  const { findings, boards } = verify(exportOf(ctx));
  const unsound = [...boards, ...whole.boards].filter(({ is_sound }) => !is_sound);
  return [...whole.findings, ...findings, ...unsound].map((found) => JSON.stringify(found));
}

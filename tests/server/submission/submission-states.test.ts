import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inspectDatabase } from '#db/engine/inspection.ts';
import { bucketKey } from '#core/domain/counting/bucket.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { LogAccounts } from '#core/domain/log/log-replay.ts';
import { AccountUsage } from '#core/domain/log/logged-account.ts';
import { stateOf } from '#core/domain/log/submission-state.ts';
import type { LogKind } from '#core/schema/log.ts';
import type { EntryLine } from '#core/schema/public-log.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { restoreSubmission, withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { revokeDevice } from '#server/device/revoke-device.ts';
import { databasePath } from '#server/config/config.ts';
import { loggedState } from '#server/counting/submission-state.ts';
import { type TestDevice, aBucket, aDevice } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  enroll,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { aFingerprint } from '#tests/support/board/fingerprints.ts';
import { findingsOf, idsOf } from '#tests/support/board/replacing.ts';

type Drawn<From> = From extends fc.Arbitrary<infer Value> ? Value : never;

const few = fc.nat(3);
const bucket = fc
  .record({
    day: fc.constantFrom('2026-03-01', '2026-03-02'),
    model: fc.constantFrom('m', 'n'),
    output: few,
    fingerprint: fc.option(aFingerprint, { nil: undefined }),
  })
  .map(aBucket);
const device = fc.nat(2);
const submission = fc.record({
  device,
  isCorrection: fc.boolean(),
  buckets: fc.uniqueArray(bucket, { selector: bucketKey, minLength: 1, maxLength: 3 }),
});
const change = fc.record({
  kind: fc.constantFrom('withdraw', 'restore', 'restore', 'hold', 'release', 'reject'),
  /** The submission, counted from the newest. */
  of: fc.nat(3),
});
const recall = fc.record({ recalled: device });
/** An installation that enrolls again, with or without replacing a device. */
const enrollment = fc.record({ enrolled: device, replaced: fc.option(device) });
const anySteps = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: submission },
    { weight: 20, arbitrary: change },
    { weight: 3, arbitrary: recall },
    { weight: 4, arbitrary: enrollment },
  ),
  { minLength: 3, maxLength: 20 },
);
type Steps = Drawn<typeof anySteps>;

type Owner = Parameters<typeof withdrawSubmission>[1];

/**
 * The errors of steps that are not possible: in the state of a submission, with a revoked key, or with a device that
 * cannot be replaced.
 */
const REFUSALS = ['device_not_replaceable', 'key_revoked', 'state_conflict'];

const CORRECTION = { tool: 'claude-code', from: '2026-03-01', to: '2026-03-01' };

/** Runs all steps that are not rejected. */
async function perform(ctx: TestContext, codename: string, steps: Steps): Promise<void> {
  const devices: TestDevice[] = [];
  for (let i = 0; i < 3; i += 1) devices.push(await anEnrolledDevice(ctx, codename));
  const operator_id = ctx.store.operators.byCodename(codename)?.id ?? 0;
  const caller = { operator_id, device_id: null };
  const ids: string[] = [];
  for (const step of steps) {
    await attempt(async () => {
      if ('enrolled' in step) await enrollAgain(ctx, devices, step);
      else if ('recalled' in step) markDeviceCompromised(ctx, caller, devices[step.recalled]);
      else if ('buckets' in step) ids.push(await send(ctx, devices[step.device], step));
      else await changeState(ctx, caller, { id: ids.at(-1 - step.of), kind: step.kind });
    });
  }
}

async function enrollAgain(
  ctx: TestContext,
  devices: TestDevice[],
  { enrolled, replaced }: Drawn<typeof enrollment>,
): Promise<void> {
  const { installation_id } = devices[enrolled] as TestDevice;
  const { operator_id } = idsOf(ctx, devices[enrolled] as TestDevice);
  const again = await aDevice(installation_id);
  const old = replaced === null ? null : idsOf(ctx, devices[replaced] as TestDevice).public_id;
  await enroll(ctx, { id: operator_id }, again, old === null ? {} : { replaces: old });
  devices[enrolled] = again;
}

function markDeviceCompromised(
  ctx: TestContext,
  caller: Owner,
  device: TestDevice | undefined,
): void {
  const { device_id = 0 } = ctx.store.devices.key(device?.keyid ?? '') ?? {};
  revokeDevice(ctx, caller, ctx.store.devices.byId(device_id)?.public_id ?? '', 'compromised');
}

/** @returns The submission's id. */
async function send(
  ctx: TestContext,
  device: TestDevice | undefined,
  { isCorrection, buckets }: Drawn<typeof submission>,
): Promise<string> {
  const corrected = buckets.map((one) => ({ ...one, day: CORRECTION.from }));
  const [correction, sent] = isCorrection ? [CORRECTION, corrected.slice(0, 1)] : [null, buckets];
  const { answer } = await submit(ctx, device as TestDevice, sent, { correction });
  return answer.id;
}

async function changeState(
  ctx: TestContext,
  caller: Owner,
  { id, kind }: { id: string | undefined; kind: string },
): Promise<void> {
  if (id === undefined) return;
  if (kind === 'withdraw') await withdrawSubmission(ctx, caller, id);
  else if (kind === 'restore') await restoreSubmission(ctx, caller, id);
  else decideSubmission(ctx, { kind: kind as 'hold', id, reason: 'A test' });
}

async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isRefused = error instanceof DomainError && REFUSALS.includes(error.code);
    if (!isRefused) throw error;
  }
}

/** An operator's counts according to the public log. */
function loggedUsage(ctx: TestContext, operator_id: number): AccountUsage {
  const entries = query<{ log_index: number; kind: LogKind; payload: Buffer }>(
    ctx,
    `SELECT log_index, kind, payload FROM log_entries WHERE operator_id = ${operator_id} ORDER BY log_index`,
  );
  const id = ctx.store.operators.byId(operator_id)?.public_id ?? '';
  const accounts = new LogAccounts({
    recounted: new Set([id]),
    unreadable: new Set(),
    requiresStatedDays: false,
  });
  for (const { payload, ...entry } of entries) {
    accounts.apply({ ...entry, payload: payload.toString() } as EntryLine);
  }
  return accounts.account(id).usage;
}

function storedUsage(ctx: TestContext, operator_id: number): AccountUsage {
  const board = inspectDatabase(databasePath(ctx.config));
  const buckets = board.replayed.buckets(operator_id);
  board.close();
  return new AccountUsage(buckets);
}

/** Sorts buckets in an order that does not depend on their arrival. */
function seriesText({ series }: AccountUsage): string[] {
  return [...series].map(([key, days]) => `${key} ${JSON.stringify(days)}`).sort();
}

/** Submissions whose state in the table differs from their log entries. */
function wrongStates(ctx: TestContext, operator_id: number): unknown[] {
  const rows = query<{ log_index: number; state: string }>(
    ctx,
    `SELECT log_index, state FROM submissions WHERE operator_id = ${operator_id}`,
  );
  return rows.flatMap(({ log_index, state }) => {
    const logged = stateOf(loggedState(ctx.store, { operator_id, log_index }));
    return logged === state ? [] : { log_index, state, logged };
  });
}

test('any order of submissions, decisions, compromises and replacements gives the same counts on the board and in its log', async () => {
  const ctx = testContext();
  let runs = 0;

  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      runs += 1;
      const codename = `op-${runs}`;

      await perform(ctx, codename, steps);

      const operator_id = ctx.store.operators.byCodename(codename)?.id ?? 0;
      const [stored, logged] = [storedUsage(ctx, operator_id), loggedUsage(ctx, operator_id)];
      expect(wrongStates(ctx, operator_id)).toEqual([]);
      expect(seriesText(stored)).toEqual(seriesText(logged));
    }),
    { numRuns: 25 },
  );

  await expect(findingsOf(ctx)).resolves.toEqual([]);
}, 60_000);

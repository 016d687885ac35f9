import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketKey } from '#core/domain/counting/bucket.ts';
import { type CountedBucket, type CountedSubmission } from '#core/domain/counting/counting.ts';
import { takeApart } from '#core/domain/signing/dsse.ts';
import { readSnapshot } from '#core/domain/signing/snapshot.ts';
import { bucketOfRecord } from '#core/domain/metrics/record.ts';
import { type Correction, SNAPSHOT_PAYLOAD_TYPE } from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import { aFingerprint } from '#tests/support/board/fingerprints.ts';
import { replay } from '#tests/support/board/replay.ts';
import {
  type TestContext,
  anEnrolledDevice,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';

const day = fc.constantFrom('2026-03-01', '2026-03-02', '2026-03-03');
const tool = fc.constantFrom('claude-code', 'codex');
const few = fc.nat(2);
const bucket = fc
  .record({
    day,
    tool,
    model: fc.constantFrom('m', 'n'),
    input: few,
    output: few,
    cache_write: fc.option(few),
    cache_read: fc.option(few),
    fingerprint: fc.option(aFingerprint, { nil: undefined }),
  })
  .map(aBucket);
const submission = fc.record({
  device: fc.nat(1),
  correction: fc.option(
    fc
      .tuple(tool, day, day)
      .map(([of, a, b]) => ({ tool: of, from: a < b ? a : b, to: a < b ? b : a })),
  ),
  buckets: fc.uniqueArray(bucket, { selector: bucketKey, minLength: 1, maxLength: 4 }),
});

/** The submission to withdraw, counted from the newest. */
const withdrawal = fc.record({ withdrawn: fc.nat(4) });
const anySteps = fc.array(fc.oneof({ weight: 3, arbitrary: submission }, withdrawal), {
  minLength: 1,
  maxLength: 10,
});

interface DrawnSubmission {
  device: number;
  correction: Correction | null;
  buckets: Bucket[];
}

/** Runs all steps; returns how many submissions are not withdrawn. */
async function perform(
  ctx: TestContext,
  codename: string,
  steps: readonly (DrawnSubmission | { withdrawn: number })[],
): Promise<number> {
  const devices = [
    await anEnrolledDevice(ctx, codename),
    await anEnrolledDevice(ctx, codename),
  ] as const;
  const caller = { operator_id: operatorId(ctx, codename), device_id: null };
  const ids: string[] = [];
  const withdrawn = new Set<string>();
  for (const step of steps) {
    if ('buckets' in step) {
      const { device, buckets, correction } = step;
      const { answer } = await submit(ctx, devices[device as 0 | 1], buckets, { correction });
      ids.push(answer.id);
    } else {
      const id = ids.at(-1 - step.withdrawn);
      if (id === undefined) continue;
      await withdrawSubmission(ctx, caller, id);
      withdrawn.add(id);
    }
  }
  return ids.length - withdrawn.size;
}

function operatorId(ctx: TestContext, codename: string): number {
  return ctx.store.operators.byCodename(codename)?.id ?? 0;
}

/** The accepted submissions of an operator in the log, in order. */
function loggedSubmissions(ctx: TestContext, codename: string): CountedSubmission[] {
  const rows = query<{ log_index: number; payload: Buffer }>(
    ctx,
    `SELECT e.log_index, e.payload FROM log_entries e JOIN operators o ON o.id = e.operator_id
       JOIN submissions s ON s.log_index = e.log_index AND s.state = 'accepted'
     WHERE e.kind = 'snapshot' AND o.codename = '${codename}' ORDER BY e.log_index`,
  );
  return rows.map(({ log_index, payload }) => {
    const opened = takeApart(JSON.parse(payload.toString()), SNAPSHOT_PAYLOAD_TYPE);
    const { records, correction } = readSnapshot(opened.payload, ctx.config.baseUrl);
    const device_id = ctx.store.devices.key(opened.keyid)?.device_id ?? 0;
    const buckets = records.map(bucketOfRecord);
    return { device_id, log_index, trust: 'signed', correction, buckets };
  });
}

function storedBuckets(ctx: TestContext, codename: string): CountedBucket[] {
  const { id: operator_id = 0 } = ctx.store.operators.byCodename(codename) ?? {};
  return ctx.store.buckets.ofDays({ operator_id, from: '', to: '9' });
}

function sorted(buckets: readonly CountedBucket[]): CountedBucket[] {
  const place = (one: CountedBucket) => `${one.device_id} ${bucketKey(one)}`;
  return [...buckets].sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

describe('the log', () => {
  test("gives the board's buckets when it is replayed", async () => {
    const ctx = testContext();
    let runs = 0;

    await fc.assert(
      fc.asyncProperty(anySteps, async (drawn) => {
        runs += 1;
        const codename = `op-${runs}`;

        const left = await perform(ctx, codename, drawn);

        const submissions = loggedSubmissions(ctx, codename);
        expect(submissions).toHaveLength(left);
        expect(sorted(storedBuckets(ctx, codename))).toEqual(sorted(replay(submissions)));
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});

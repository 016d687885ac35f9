import { describe, expect, test } from 'vitest';
import { composeRecord } from '#core/domain/metrics/record.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { Calibration } from '#core/schema/calibration.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { setDataOptOut } from '#server/operator/set-data-opt-out.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { calibrationOf } from '#server/public-log/calibrate.ts';
import { publicLog } from '#server/public-log/lines.ts';
import { submitRecords } from '#server/submission/submit-records.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { anOutput, aDeviceOf, runCommand } from '#tests/support/agent/agent.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { exportOf } from '#tests/support/board/public-log.ts';
import { aFile } from '#tests/support/board/verify.ts';

/** The first of 90 days that end with the board's day, and the first of the last 30. */
const FIRST = '2025-12-11';
const MIDDLE = '2026-02-09';

/** Days that differ from each other, and from those of other seeds. */
function aQuarter(seed: number, days = 90): Bucket[] {
  return bucketsOfDays(days, FIRST).map((bucket, at) => {
    const input = 1000 + ((at * 7919 * (seed + 1)) % 977);
    return { ...bucket, input, output: 10_000 + ((at * 104_729 * (seed + 3)) % 4409) };
  });
}

async function aMember(ctx: TestContext, codename: string, buckets: readonly Bucket[]) {
  const device = await anEnrolledDevice(ctx, codename);
  const { answer } = await submit(ctx, device, buckets);
  const id = ctx.store.operators.byCodename(codename)?.id ?? 0;
  return { id, device, submission: answer.id };
}

/** What the board computes with its public log. */
function ofBoard(ctx: TestContext): Calibration | null {
  const made: (Calibration | null)[] = [];
  const { store, config, boardKey, ruleset } = ctx;
  publicLog({
    ...{ store, boardKey, baseUrl: config.baseUrl },
    onPlan: (plan) => made.push(calibrationOf(store, plan, ruleset)),
  });
  return made[0] ?? null;
}

/** What `opbench verify --calibration` prints. */
async function ofLog(ctx: TestContext, words: readonly string[] = ['--json']): Promise<string> {
  const output = anOutput();
  const file = aFile(exportOf(ctx).join(''));
  expect(
    await runCommand(aDeviceOf(ctx), 'verify', [file, '--calibration', ...words], output),
  ).toBe(0);
  return output.results.join('');
}

const calibrationIn = (json: string) => (JSON.parse(json) as { calibration: unknown }).calibration;

describe('calibrationOf()', () => {
  test('is what everyone computes from the public log, whatever operators have done', async () => {
    const ctx = testContext();
    await aMember(ctx, 'ada', aQuarter(1));
    const bob = await aMember(ctx, 'bob', aQuarter(2));
    const carol = await aMember(ctx, 'carol', aQuarter(3));
    const dave = await aMember(ctx, 'dave', aQuarter(4));
    const erin = await aMember(ctx, 'erin', aQuarter(5));
    await aMember(ctx, 'frank', aQuarter(6));
    await aMember(ctx, 'hank', aQuarter(7, 66));
    // Of gina, only self-reported counts. Erin's second submission does not count any more.
    const records = aQuarter(8).map(composeRecord);
    const sent = { text: JSON.stringify({ records }), idempotencyKey: undefined };
    await submitRecords(ctx, { operator_id: anOperator(ctx, 'gina').id }, sent);
    const wrong = bucketsOfDays(30, MIDDLE, { input: 9_000_000 });
    const { answer } = await submit(ctx, erin.device, wrong);
    await withdrawSubmission(ctx, { operator_id: erin.id, device_id: null }, answer.id);
    await updateProfile(ctx, bob.id, { privacy_mode: 'anonymous' });
    await updateProfile(ctx, carol.id, { privacy_mode: 'private' });
    await setDataOptOut(ctx, dave.id, { opt_out: true });
    hideOperator(ctx, { kind: 'hide', name: 'frank', reason: 'Spam' });
    publishAndKeep(ctx);

    const calibration = ofBoard(ctx);

    expect(calibration).toMatchObject({
      as_of: '2026-03-10',
      log_index: ctx.store.log.head()?.index,
      method: 'week-95',
      methods: [
        { method: 'week-95', yield: { operators: 2 }, velocity: { operators: 2 } },
        { method: 'jackknife-95', yield: { operators: 2, agreed: 2, percent: 100 } },
      ],
    });
    expect(calibrationIn(await ofLog(ctx))).toEqual(calibration);
  });

  test('finds a change between the parts, and the command prints it as a table', async () => {
    const ctx = testContext();
    await aMember(ctx, 'ada', aQuarter(1));
    const changed = aQuarter(2).map((bucket) => ({
      ...bucket,
      cache_read: bucket.day < MIDDLE ? 1_000_000 : 9_000_000,
    }));
    await aMember(ctx, 'bob', changed);
    publishAndKeep(ctx);

    expect(ofBoard(ctx)?.methods[0]).toMatchObject({
      yield: { operators: 2, agreed: 1, percent: 50 },
      velocity: { operators: 2, agreed: 2, percent: 100 },
    });
    expect(await ofLog(ctx, [])).toContain(
      [
        '  calibration  two parts of 90 days to 2026-03-10 agree within their intervals',
        '    metric    operators  week-95  jackknife-95',
        '    yield             2      50%           50%',
        '    leverage          2      50%           50%',
        '    velocity          2     100%          100%',
        '    expected                 95%           95%',
        '    jackknife-95 leaves out days, week-95 compares weeks. The ranking rules use week-95.',
        '',
      ].join('\n'),
    );
  });

  test('needs a board', async () => {
    const ctx = testContext();
    expect(ofBoard(ctx)).toBeNull();
    expect(calibrationIn(await ofLog(ctx))).toBeNull();
    expect(await ofLog(ctx, [])).toContain(
      'calibration  none, because the file has no current board',
    );
  });
});

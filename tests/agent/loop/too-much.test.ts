import { describe, expect, test } from 'vitest';
import { collect } from '#agent/loop/collect.ts';
import { outboxOf, submit } from '#agent/loop/submit.ts';
import { logFindings } from '#agent/doctor/logs.ts';
import { scanLogs } from '#agent/logs/scan.ts';
import { aDeviceOf, sendable } from '#tests/support/agent/agent.ts';
import { NOW_MS, aBucket } from '#tests/support/board/builders.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { testContext } from '#tests/support/board/context.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine, aCodexCount, aCodexHead } from '#tests/support/logs/log-writers.ts';
import { enrolled } from '#tests/support/agent/enrolled.ts';

describe('submit() of more than a board accepts', () => {
  test('sends what still fits if one tool exceeds a limit of the board', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    const few = aBucket({ input: 1, output: 1, cache_write: null, cache_read: null });
    const codex = { ...few, tool: 'codex' };
    const most = { ...codex, output: Number.MAX_SAFE_INTEGER - 9 };
    await submit(device, identity, sendable([most]));
    const more = [1, 2].map((day) => ({ ...codex, day: `2026-02-0${day}`, output: 9 }));

    const submitting = submit(device, identity, sendable([few, most, ...more]));

    await expect(submitting).rejects.toMatchObject({
      code: 'count_out_of_range',
      exitCode: 5,
      message: expect.stringMatching(/; not sent: 2 daily counts of codex$/),
      submission: { snapshots: 1, records: 1 },
    });
    expect(outboxOf(device, identity).pending()).toEqual([]);
    expect(outboxOf(device, identity).unsent([few])).toEqual([]);
  });

  test('leaves out the least used models if there are more than a board accepts', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    const models = Array.from({ length: 201 }, (_, index) => {
      return aBucket({ model: `model-${index}`, output: index });
    });
    const notes: string[] = [];
    const note = (text: string) => void notes.push(text);

    const submitted = await submit(device, identity, sendable(models), { note });

    expect(submitted).toMatchObject({ records: 200 });
    expect(notes).toEqual([expect.stringContaining('the 1 least used model left out')]);
    const sent = outboxOf(device, identity).sent();
    expect(sent.map(({ model }) => model)).not.toContain('model-0');
  });

  test.each([
    ['50 providers', 50, (at: number) => ({ provider: `provider ${at}` })],
    ['200 pairs', 200, (at: number) => ({ provider: `p${at % 40}`, model: `m${at % 199}` })],
    ['50 tools', 50, (at: number) => ({ tool: `tool ${at}` })],
  ])('sends at most %s, the most used ones, every time', async (_, most, sourceOf) => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    const buckets = (day: string) =>
      Array.from({ length: most + 9 }, (_, at) => aBucket({ ...sourceOf(at), day, output: at }));

    await expect(submit(device, identity, sendable(buckets('2026-03-01')))).resolves.toMatchObject({
      records: most,
    });
    await expect(submit(device, identity, sendable(buckets('2026-03-02')))).resolves.toMatchObject({
      records: most,
    });
  });

  test('leaves out of a correction what a board would reject', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    const providers = Array.from({ length: 51 }, (_, at) => {
      return aBucket({ provider: `provider ${at}`, output: 100 + at });
    });
    await submit(device, identity, sendable(providers, { 'claude-code': 1 }));
    const lower = providers.map((bucket) => ({ ...bucket, input: 1 }));

    const corrected = await submit(device, identity, sendable(lower, { 'claude-code': 2 }));

    expect(corrected).toMatchObject({ records: 50, corrections: [{ tool: 'claude-code' }] });
  });

  test('sends known sources and what else fits if other devices have used up the limit', async () => {
    const ctx = testContext();
    const device = aDeviceOf(ctx);
    const identity = await enrolled(ctx, device);
    await submit(device, identity, sendable([aBucket({ provider: 'mine' })]));
    const others = Array.from({ length: 48 }, (_, at) => aBucket({ provider: `other ${at}` }));
    anActive(ctx, 'ada', others);
    const day = '2026-03-02';
    const [mine, fits, first, second] = ['mine', 'other 1', 'first', 'second'].map((provider, at) =>
      aBucket({ provider, day, output: 9 - at }),
    ) as [Bucket, Bucket, Bucket, Bucket];

    const submitting = submit(device, identity, sendable([mine, fits, first, second]));

    await expect(submitting).rejects.toMatchObject({
      code: 'too_many_sources',
      message: expect.stringMatching(/; not sent: 1 daily count of claude-code$/),
      submission: { records: 3 },
    });
    expect(outboxOf(device, identity).unsent([mine, fits, first, second])).toEqual([second]);
  });
});

test('leaves out one impossible count, and collect() and doctor say so', async () => {
  const count = aCodexCount(1, 800_000_000_000_000, 800_000_000_000_000);
  const HOME = aFolder({
    '.claude/projects/p/s.jsonl': `${aClaudeLine()}\n`,
    '.codex/sessions/r.jsonl': `${aCodexHead('a', 0)}\n${count}\n`,
  });

  const { buckets, notes } = await collect({ environment: { HOME }, nowMs: () => NOW_MS });
  const findings = logFindings(await scanLogs({ HOME }), '2026-03-10');

  expect(buckets).toHaveLength(1);
  expect(notes).toEqual([expect.stringMatching(/^1 response of codex left out/)]);
  expect(findings).toMatchObject([
    {
      severity: 'problem',
      exit: 1,
      text: expect.stringMatching(/^1 response of codex left out/) as string,
    },
  ]);
});

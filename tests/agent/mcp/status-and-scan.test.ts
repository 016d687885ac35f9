import { beforeEach, describe, expect, test } from 'vitest';
import { Client as BoardClient } from '#agent/board/client.ts';
import type { DetailedScan } from '#agent/mcp/shortened.ts';
import { aDeviceOf, changing } from '#tests/support/agent/agent.ts';
import { DAY_MS, NOW_MS } from '#tests/support/board/builders.ts';
import { type TestContext, testContext } from '#tests/support/board/context.ts';
import { anEnrolledDevice } from '#tests/support/agent/enrolled.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';
import { aHomeOf, connectTo as connect } from '#tests/support/mcp/mcp-device.ts';

let ctx: TestContext;

beforeEach(() => {
  ctx = testContext();
});

describe('the local MCP server', () => {
  test('shows the standing without sending anything, and how much it leaves out', async () => {
    const notice = { kind: 'noted', submission: null, reason: 'r', checks: null, advice: null };
    const fetch = changing(ctx, '/api/v1/me', async (answer) => {
      const me = (await answer.json()) as object;
      return Response.json({ ...me, notices: Array.from({ length: 25 }, () => notice) });
    });
    const { device, identity } = await anEnrolledDevice(ctx, 'ada', { home: aHomeOf(3) });
    const { call } = await connect({ ...device, client: new BoardClient(fetch, device.nowMs) });
    const stranger = await connect(aDeviceOf(ctx));
    const before = ctx.store.log.head()?.index;

    const status = await call('status');
    const other = await call('status', { board: 'https://other.example.org' });

    expect(status).toMatchObject({
      isError: false,
      told: {
        untrusted: expect.arrayContaining(['codename', 'reason']),
        boards: [
          {
            board: identity.board,
            pending: { snapshots: 0 },
            last_submission_at: null,
            standing: {
              codename: 'ada',
              notices: Array.from({ length: 20 }, () => expect.anything()),
            },
          },
        ],
        failures: [],
        left_out: 5,
      },
    });
    expect(ctx.store.log.head()?.index).toBe(before);
    expect(other).toMatchObject({ isError: true, told: { code: 'not_enrolled' } });
    expect(await stranger.call('status')).toMatchObject({ told: { code: 'not_enrolled' } });
  });

  test('counts logs by day and by model for the requested days', async () => {
    const line = (id: string, days: number, model: string, output: number) => {
      return `${aClaudeLine({ id, model, output, at: NOW_MS - days * DAY_MS - Date.UTC(2026, 2, 2) })}\n`;
    };
    const home = aFolder({
      '.claude/projects/p/a.jsonl':
        line('a', 0, 'm-new', 1) + line('b', 0, 'm-old', 5) + line('c', 9, 'm-old', 10),
    });
    const { call } = await connect({ ...aDeviceOf(ctx), environment: { HOME: home } });

    const all = (await call('scan')).told as DetailedScan;
    const lately = (await call('scan', { days: 2 })).told as DetailedScan;
    const ofModel = (await call('scan', { model: 'm-old', tool: 'claude-code' })).told;

    expect(all.by_day.map(({ day, output }) => [day, output])).toEqual([
      ['2026-03-01', 10],
      ['2026-03-10', 6],
    ]);
    expect(all.by_model).toMatchObject([
      { tool: 'claude-code', model: 'm-old', output: 15 },
      { model: 'm-new', output: 1 },
    ]);
    expect(lately).toMatchObject({ days: 1, totals: { output: 6 }, by_day: [{ output: 6 }] });
    expect(ofModel).toMatchObject({ totals: { output: 15 }, left_out: { days: 0, models: 0 } });
    expect(await call('scan', { model: 'm-odl' })).toMatchObject({
      isError: true,
      told: { code: 'usage', hint: 'Did you mean m-old?' },
    });
    expect(await call('scan', { days: 0 })).toMatchObject({ told: { code: 'arguments_invalid' } });
  });

  test('shows no more rows than fit, and how many it leaves out', async () => {
    const { call } = await connect({ ...aDeviceOf(ctx), environment: { HOME: aHomeOf(120) } });

    const { told } = await call('scan');

    expect(told).toMatchObject({ days: 120, left_out: { days: 28, models: 0 } });
    expect((told as DetailedScan).by_day).toHaveLength(92);
    expect(JSON.stringify(told).length).toBeLessThan(20_000);
  });

  test('lists the arguments of a tool after an unknown one', async () => {
    const { call } = await connect(aDeviceOf(ctx));

    expect(await call('self_improve', { limits: 3 })).toMatchObject({
      told: {
        code: 'arguments_invalid',
        message: expect.stringMatching(/^limits: .*unknown/) as string,
        hint: expect.stringContaining('board, days, limit') as string,
      },
    });
  });
});

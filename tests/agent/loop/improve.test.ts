import { describe, expect, test } from 'vitest';
import { LeadersQuery } from '#core/contract/metrics.ts';
import { Client, type Fetch } from '#agent/board/client.ts';
import { readMetricLeaders } from '#server/board/metric-page.ts';
import { aDeviceOf, anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { BASE_URL, DAY_MS, NOW_MS, bucketsOfDays } from '#tests/support/board/builders.ts';
import { type TestContext, publish, testContext } from '#tests/support/board/context.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';

const SOBER = { input: 1000, output: 10_000, cache_write: 50_000, cache_read: 900_000 };

/** A device with a number of days of logs until today, of which every third has more fresh input. */
function aDevice(days: number, fetch?: Fetch) {
  const ctx = testContext();
  const files = Array.from({ length: days }, (_, ago) => {
    const at = NOW_MS - ago * DAY_MS - Date.UTC(2026, 2, 2);
    const input = ago % 3 === 0 ? 6000 : 1000;
    const line = aClaudeLine({ id: `msg_${ago}`, at, ...SOBER, input });
    return [`.claude/projects/p/${ago}.jsonl`, `${line}\n`];
  });
  const home = aFolder(Object.fromEntries(files) as Record<string, string>);
  return { ...aDeviceOf(ctx, fetch ?? refuseAll), environment: { HOME: home } };
}

/** Nothing may be sent. */
const refuseAll: Fetch = () => Promise.reject(new TypeError('nobody there'));

/** The leaders of a board, as its endpoint returns them. */
function leadersOf(ctx: TestContext): Fetch {
  return async (url) => {
    const { searchParams } = new URL(url);
    const query = LeadersQuery.parse(Object.fromEntries(searchParams));
    return Response.json(readMetricLeaders(ctx, query));
  };
}

async function run(device: ReturnType<typeof aDevice>, ...args: string[]) {
  const output = anOutput();
  const exitCode = await runCommand(device, 'improve', args, output);
  return { exitCode, text: output.results.join('\n'), notes: output.notes.join('\n') };
}

describe('opbench improve', () => {
  test('shows which days did better, in lines of 80 columns, and sends nothing', async () => {
    const { exitCode, text, notes } = await run(aDevice(30));

    expect({ exitCode, notes }).toEqual({ exitCode: 0, notes: '' });
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(text).toMatch(/^Yield 1,266, 2025-12-11 to 2026-03-10/);
    expect(text).toMatch(/^1\. claude-code: fresh input /m);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      '10 of 30 similar days could reach leverage (cache read / input) 900, the level of the best quarter of these days. Together they have 150.',
    );
    expect(text).toContain('20 of 30 days: 2026-03-09 900,');
  });

  test("--json has the shape of the board's response, and --days selects the days", async () => {
    const { text } = await run(aDevice(30), '--json', '--days', '24');

    expect(JSON.parse(text)).toMatchObject({
      class_tier: 'rapids',
      from: '2026-02-15',
      to: '2026-03-10',
      next_class: null,
      empty_because: null,
      entries: [{ leak: 'fresh_input', evidence: { days: 8, days_measured: 24 } }],
    });
  });

  test('--board requests the medians of the class above by tool, without identification', async () => {
    const ctx = testContext();
    for (let at = 0; at < 5; at += 1) {
      anActive(ctx, `op-${at}`, bucketsOfDays(20, '2026-02-10', { input: 2000 }));
    }
    publish(ctx);
    const asked: [string, RequestInit][] = [];
    const ask: Fetch = (url, init) => {
      asked.push([url, init]);
      return leadersOf(ctx)(url, init);
    };

    const { text } = await run(aDevice(30, ask), '--json', '--board', BASE_URL);

    const medians = [{ tool: 'claude-code', leverage: 500, velocity: 5 }];
    expect(JSON.parse(text)).toMatchObject({
      next_class: { class_tier: 'falls', medians },
      entries: [{ target: { value: 500, from: 'next_class_median' } }],
    });
    const leaders = `${BASE_URL}/api/v1/metrics/leaders?window=90d`;
    expect(asked.map(([url]) => url)).toEqual([leaders, `${leaders}&tool=claude-code`]);
    expect(asked.map(([, { headers, body }]) => [headers, body])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test("compares the operator's own days if the board cannot be reached, and says so", async () => {
    const { exitCode, text, notes } = await run(aDevice(30), '--json', '--board', BASE_URL);

    expect(exitCode).toBe(5);
    expect(notes).toContain('cannot be reached: nobody there');
    expect(notes).toMatch(/your own days only\.$/);
    expect(JSON.parse(text)).toMatchObject({ next_class: null, total: 1 });
  });

  test('says what is missing', async () => {
    expect((await run(aDevice(7))).text).toContain('A comparison needs 8 days of 10,000 tokens');
    expect((await run(aDevice(0))).text).toContain('No logs found for this period');
  });

  test.each(['7', '3661', '1e1', '-9', ''])('rejects --days=%s', async (days) => {
    await expect(run(aDevice(0), `--days=${days}`)).rejects.toMatchObject({
      exitCode: 1,
      message: '--days takes a whole number from 8 to 3660',
    });
  });
});

test('other responses are rejected', async () => {
  const odd: Fetch = async () => Response.json({ tools: 'all' });
  const leaders = new Client(odd, Date.now).leaders(BASE_URL, '90d');
  await expect(leaders).rejects.toMatchObject({ exitCode: 4 });
});

/** The pages of metrics, as readers of the running server see them. */
import { describe, expect, test } from 'vitest';
import type { MetricLeaders } from '#core/contract/metrics.ts';
import { PROBLEMS } from '#core/contract/problems.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { endText, shownValues } from '#components/board/shown-values.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { eventually, startServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

/** A page's text as a reader sees it. */
function textOf(html: string): string {
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '';
  return main.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

async function read(url: string) {
  const answer = await fetch(url);
  const { status, headers } = answer;
  return { status, headers, text: textOf(await answer.text()) };
}

/** A board with one operator whose days differ, so that value and interval do. */
async function aBoardOfOne() {
  const server = await startServer();
  const codename = 'ada';
  const device = await enrollOverHttp(server, await server.signIn(codename));
  const days = bucketsOfDays(10, daysAgo(10)).map((bucket, at) => {
    return { ...bucket, input: bucket.input + 100 * at, output: bucket.output + 700 * (at % 4) };
  });
  await postSnapshot(server, await device.seal(aLivePayload(server, days)));
  return { server, codename };
}

describe('/metrics', () => {
  test('shows the same values as the API, also on the page of each metric', async () => {
    const { server, codename } = await aBoardOfOne();
    const seen = (text: string) => text.includes(codename);
    const { text: all } = await eventually(
      () => read(`${server.url}/metrics`),
      ({ text }) => seen(text),
    );
    const answer = await fetch(`${server.url}/api/v1/metrics/leaders`);
    const { metrics } = (await answer.json()) as MetricLeaders;

    for (const { metric, entries } of metrics) {
      const [entry] = entries;
      const { text } = await read(`${server.url}/metrics/${metric}`);
      const { conservative = null, interval = null } = entry ?? {};
      const ranking = { conservative, interval };
      const [value] = shownValues(metric, [ranking]);
      const end = endText(metric, ranking).replace('\u00a0', ' ');
      for (const page of [all, text]) {
        expect(page).toContain(`1 ${codename} ${value} ${end}`);
        expect(page).not.toContain('rank range');
      }
      expect(text).toContain('at least 5 ranked operators');
    }
  });

  test('exists on an empty board, and ignores other parameters', async () => {
    const { url } = await plainBoard();
    const { text, headers } = await read(`${url}/metrics`);
    expect(text).toContain('No one is ranked yet');
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    for (const metric of METRIC_NAMES) {
      const page = await read(`${url}/metrics/${metric}`);
      const again = await read(`${url}/metrics/${metric}?x=1&window=7d`);
      expect([page.status, page.text.includes('No one is ranked by')]).toEqual([200, true]);
      expect(again.headers.get('etag')).toBe(page.headers.get('etag'));
    }
    for (const name of ['Yield', 'total', '__proto__', 'yield/x', '%00', '..%2fyield']) {
      const { status, headers: ofNone } = await read(`${url}/metrics/${name}`);
      expect([name, status, ofNone.get('cache-control')]).toEqual([name, 404, 'no-store']);
    }
  });
});

describe('/problems', () => {
  test('links a page for every error, with advice', async () => {
    const { url } = await plainBoard();
    const index = await (await fetch(`${url}/problems`)).text();
    for (const [code, { title, hint }] of Object.entries(PROBLEMS)) {
      expect(index).toContain(`href="/problems/${code}"`);
      const html = await (await fetch(`${url}/problems/${code}`)).text();
      expect(html).toContain(escaped(title));
      expect(html).toContain(escaped(hint ?? 'Try again later'));
    }
    const unknown = ['nothing_known', '__proto__', 'NOT_FOUND'];
    const statuses = unknown.map(async (code) => (await fetch(`${url}/problems/${code}`)).status);
    expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
    const devices = await (await fetch(`${url}/developers/devices`)).text();
    const known = await (await fetch(`${url}/problems/key_known`)).text();
    expect(known).toContain('href="/developers/devices#enrollDevice"');
    expect(devices).toContain('id="enrollDevice"');
  });
});

function escaped(text: string): string {
  const entities: Record<string, string> = {
    '<': '&lt;',
    '>': '&gt;',
    '&': '&amp;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[<>&"']/g, (sign) => entities[sign] ?? sign);
}

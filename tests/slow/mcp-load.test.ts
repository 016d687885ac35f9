/** Many concurrent calls of the remote MCP server, by old and new clients. */
import { Agent, request } from 'node:http';
import { expect, test, vi } from 'vitest';
import { startServer } from '../support/http/server.ts';

const AT_ONCE = 200;
const CALLS = 10_000;
/** The memory that the server may keep, in MB. Five kilobytes per call would exceed it. */
const HEAP_MB = 64;
const REVISION = '2026-07-28';

const MODERN = {
  'MCP-Protocol-Version': REVISION,
  'Mcp-Method': 'tools/call',
  'Mcp-Name': 'metric_leaders',
};
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The leaders once they are complete: the calibration follows the first publication. */
async function settledLeaders(url: string): Promise<unknown> {
  return vi.waitFor(
    async () => {
      const answer = await fetch(`${url}/api/v1/metrics/leaders?metric=yield`);
      const leaders = (await answer.json()) as { calibration: unknown };
      expect(leaders.calibration).not.toBeNull();
      return leaders;
    },
    { timeout: 120_000, interval: 500 },
  );
}

test(`${AT_ONCE} concurrent calls get the right responses, and leave nothing behind`, async () => {
  // A single publication, so that all responses are the same.
  const env = { REFRESH_SECONDS: '3600', NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` };
  const { url, stop } = await startServer({ env });
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const truth = await settledLeaders(url);
  const wrong: unknown[] = [];
  let begun = 0;
  const work = async () => {
    while (begun < CALLS) {
      const id = (begun += 1);
      const { status, body } = await call(agent, url, id);
      const answer = JSON.stringify({ id, truth });
      if (status !== 200 || answerIn(body) !== answer) wrong.push([status, body]);
    }
  };

  await Promise.all(Array.from({ length: AT_ONCE }, work));
  agent.destroy();

  expect([wrong.length, wrong[0]]).toEqual([0, undefined]);
  expect(begun).toBeGreaterThanOrEqual(CALLS);
  expect(await stop()).toBe(0);
});

/** The ID and content of a response, as text. */
function answerIn(body: string): string {
  const { id, result } = JSON.parse(body) as Called;
  return JSON.stringify({ id, truth: result?.structuredContent });
}

interface Called {
  id: number;
  result?: { structuredContent: object };
}

/** Every second call uses the newest revision. */
function call(agent: Agent, url: string, id: number): Promise<{ status: number; body: string }> {
  const isNew = id % 2 === 0;
  const params = { name: 'metric_leaders', arguments: { metric: 'yield' } };
  const message = {
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: isNew ? { ...params, _meta: ENVELOPE } : params,
  };
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(isNew && MODERN),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/mcp`, { method: 'POST', agent, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(message));
  });
}

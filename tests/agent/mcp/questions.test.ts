/** The size of both lists of tools, and whether a client finds the tool for a question in them. */
import { describe, expect, test } from 'vitest';
import { composeRecord } from '#core/domain/metrics/record.ts';
import QUESTIONS from '#tests/fixtures/mcp/questions.json' with { type: 'json' };
import { anEnrolledDevice } from '#tests/support/agent/enrolled.ts';
import {
  BASE_URL,
  DAY_MS,
  NOW_MS,
  aPayload,
  bucketsOfDays,
} from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice as aBoardDevice,
  publish,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { aLetInApplication } from '#tests/support/http/provider.ts';
import { type Choice, chooseTool } from '#tests/support/mcp/choose-tool.ts';
import { ask, call } from '#tests/support/mcp/mcp-board.ts';
import { aHomeOf, connectTo, listOf } from '#tests/support/mcp/mcp-device.ts';

type Given = Record<string, unknown>;

/** A server as an agent sees it. */
interface Server {
  /** The result of `tools/list`. */
  list: { tools: Choice[] };
  /** Calls a tool and returns the structured content of its answer. */
  ask(tool: string, given: Given): Promise<unknown>;
}

const DAYS = 20;

/** A board of `ada`, and of `wren` and `dax`, who use another tool. `ada` also has a device. */
async function bothServers(): Promise<Record<string, Server>> {
  const ctx = testContext();
  const first = new Date(NOW_MS - DAYS * DAY_MS).toISOString().slice(0, 10);
  const ada = await aBoardDevice(ctx, 'ada');
  await submit(ctx, ada, bucketsOfDays(DAYS, first));
  for (const codename of ['wren', 'dax']) {
    const other = { tool: 'codex', model: 'acme-large-1', provider: 'acme', input: 90_000 };
    await submit(ctx, await aBoardDevice(ctx, codename), bucketsOfDays(DAYS, first, other));
  }
  publish(ctx);
  const { device } = await anEnrolledDevice(ctx, 'ada', { home: aHomeOf(DAYS) });
  const local = await connectTo(device);
  const { tokens } = await aLetInApplication(ctx, operatorOf(ctx, 'ada'), {
    resource: `${BASE_URL}/api/mcp`,
  });
  const records = bucketsOfDays(1, first, { output: 20_000 }).map(composeRecord);
  const envelope = await ada.seal(aPayload({ records }));
  const { body } = await ask(ctx, 'tools/list');
  return {
    remote: {
      list: body?.result as unknown as Server['list'],
      ask: async (tool, given) => {
        const sent = 'envelope' in given ? { ...given, envelope } : given;
        return (await call(ctx, tool, sent, tokens['access_token'])).told;
      },
    },
    local: {
      list: await listOf(device),
      ask: async (tool, given) => (await local.call(tool, given)).told,
    },
  };
}

function operatorOf(ctx: TestContext, codename: string) {
  const operator = ctx.store.operators.byCodename(codename);
  if (!operator) throw new Error(`There is no ${codename}`);
  return operator;
}

/** A value that has at least these members, at any depth, and these entries in any list. */
function atLeast(value: unknown): unknown {
  if (Array.isArray(value)) return expect.arrayContaining(value.map(atLeast));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, part]) => [name, atLeast(part)]);
  return expect.objectContaining(Object.fromEntries(members) as object);
}

/** Questions whose tool the client chooses, in two wordings of each. */
function found(servers: Record<string, Server>, wording: 'also' | 'question') {
  return QUESTIONS.filter((one) => {
    return chooseTool(servers[one.server]?.list.tools ?? [], one[wording]) === one.tool;
  });
}

describe('the lists of tools', () => {
  test('are short', async () => {
    const { remote, local } = await bothServers();
    const sizeOf = (server?: Server) => Buffer.byteLength(JSON.stringify(server?.list));

    expect(sizeOf(remote)).toBeLessThanOrEqual(25_000);
    expect(sizeOf(local)).toBeLessThanOrEqual(12_000);
  });

  test('lead a client that reads only descriptions to the tool', async () => {
    const servers = await bothServers();

    expect(found(servers, 'question').length).toBeGreaterThanOrEqual(16);
    expect(found(servers, 'also').length).toBeGreaterThanOrEqual(10);
  });

  test('describe tools that answer the questions', async () => {
    const servers = await bothServers();

    for (const { server, question, tool, arguments: given, answer } of QUESTIONS) {
      const told = await servers[server]?.ask(tool, given);
      expect([question, told]).toEqual([question, atLeast(answer)]);
    }
  });
});

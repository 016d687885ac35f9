import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { UNTRUSTED } from '#core/contract/mcp/board-tool.ts';
import { BOARD_TOOLS } from '#core/contract/mcp/board-tools.ts';
import { setCodename } from '#server/operator/set-codename.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { BASE_URL, DAY_MS, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  publish,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { type Called, ask, bearer, call } from '#tests/support/mcp/mcp-board.ts';
import { outputSchemaOf } from '#tests/support/mcp/output-schema.ts';
import { aLetInApplication } from '#tests/support/http/provider.ts';

interface Listed {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: string };
  annotations: Record<string, unknown>;
}

const PUBLIC = [
  'get_leaderboard',
  'get_operator',
  'get_operator_history',
  'metric_leaders',
  'get_challenges',
  'get_hall_of_signal',
  'compute_metrics',
];
const OWN = ['discover_peers', 'self_improve', 'submit_snapshot', 'my_operator'];

function ajv(): Ajv2020 {
  const checker = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(checker);
  return checker;
}

/** A board with ten days of `ada`. */
async function aBoardOfAda(): Promise<TestContext> {
  const ctx = testContext();
  const first = new Date(ctx.now().getTime() - 10 * DAY_MS).toISOString().slice(0, 10);
  await submit(ctx, await anEnrolledDevice(ctx, 'ada'), bucketsOfDays(10, first));
  publish(ctx);
  return ctx;
}

async function tokenOf(ctx: TestContext, codename = 'ada'): Promise<string> {
  const operator = ctx.store.operators.byCodename(codename) ?? anOperator(ctx, codename);
  const { tokens } = await aLetInApplication(ctx, operator, { resource: `${BASE_URL}/api/mcp` });
  return tokens['access_token'] ?? '';
}

async function listed(ctx: TestContext, token?: string) {
  const { body } = await ask(ctx, 'tools/list', {}, token === undefined ? {} : bearer(token));
  return body?.result as { tools: Listed[]; ttlMs: number; cacheScope: string };
}

describe('the list of tools', () => {
  test('is the same for all callers, has this order, and can be cached', async () => {
    const ctx = await aBoardOfAda();
    const all = await listed(ctx);

    expect(all.tools.map(({ name }) => name)).toEqual([...PUBLIC, ...OWN]);
    expect(await listed(ctx, await tokenOf(ctx))).toEqual(all);
    expect(all).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' });
    const { body } = await ask(ctx, 'server/discover');
    expect(body?.result).toMatchObject({
      ttlMs: 3_600_000,
      cacheScope: 'public',
      capabilities: { tools: {} },
      instructions: expect.stringContaining('never instructions') as string,
    });
  });

  test('describes each tool: what it does, what it can change, and which text other people wrote', async () => {
    const { tools } = await listed(await aBoardOfAda());
    const reads = {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    };
    const writes = {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    };

    for (const { name, title, description, annotations, inputSchema, ...rest } of tools) {
      expect(annotations).toEqual({ title, ...(name === 'submit_snapshot' ? writes : reads) });
      expect([name, description.length < 400]).toEqual([name, true]);
      expect(inputSchema.type).toBe('object');
      expect(() => ajv().compile(inputSchema)).not.toThrow();
      // Some clients reject references, tuples and lists of types. Patterns and lengths help only the server.
      expect(JSON.stringify(inputSchema)).not.toMatch(
        /\$ref|prefixItems|"type":\[|"pattern"|Length"|\$schema/,
      );
      expect(Object.keys(rest)).toEqual(['_meta']);
    }
  });

  test.each(BOARD_TOOLS.map((tool) => [tool.name, tool] as const))(
    'names the members of the response of %s that other people wrote',
    (_, tool) => {
      const members = freeTexts(outputSchemaOf(tool));

      expect(members.filter((member) => !OURS.includes(member))).toEqual(
        [...tool.untrusted].sort(),
      );
    },
  );
});

/** Members that can hold any text, but whose text the board creates itself. */
const OURS = [
  'advice',
  'avatar_url',
  'board',
  'counts_from',
  'cursor',
  'detail',
  'formula',
  'habit',
  'next_cursor',
  'ruleset',
  'submission',
  'trade_off',
  'unit',
  'untrusted',
  'warnings',
  'payload',
  'payloadType',
  'sig',
];

/** The members of a response, at any depth, that can contain any text. */
function freeTexts(schema: object): string[] {
  const defs = ((schema as { $defs?: Record<string, object> }).$defs ?? {}) as Record<string, Node>;
  const found = new Set<string>();
  const seen = new Set<string>();
  const walk = (node: Node, member: string): void => {
    const ref = node.$ref?.replace('#/$defs/', '');
    if (ref !== undefined) {
      if (seen.has(`${ref} ${member}`)) return;
      seen.add(`${ref} ${member}`);
      return walk(defs[ref] as Node, member);
    }
    if (isFreeText(node)) found.add(member);
    for (const part of partsOf(node)) walk(part, member);
    for (const [name, part] of Object.entries(node.properties ?? {})) walk(part, name);
  };
  walk(schema as Node, '');
  // A codename has a fixed alphabet, but its operator chooses it.
  const names = JSON.stringify(schema).includes('"codename"') ? ['codename'] : [];
  return [...found, ...names].sort();
}

function isFreeText({ type, pattern, enum: words, const: word, format = '' }: Node): boolean {
  const isClosed = pattern ?? words ?? word ?? CLOSED[format];
  return [type].flat().includes('string') && isClosed === undefined;
}

function partsOf({ anyOf = [], allOf = [], items }: Node): Node[] {
  return [...anyOf, ...allOf, ...(items ? [items] : [])];
}

const CLOSED: Record<string, true> = { date: true, 'date-time': true, uuid: true };

interface Node {
  $ref?: string;
  type?: string | string[];
  pattern?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Node[];
  allOf?: Node[];
  items?: Node;
  properties?: Record<string, Node>;
}

describe('a call', () => {
  test('returns structured content, the same as text, and the names of untrusted members', async () => {
    const ctx = await aBoardOfAda();
    const { structuredContent, content, told, _meta } = await call(ctx, 'get_operator', {
      codename: 'ada',
    });

    expect(structuredContent).toMatchObject({ codename: 'ada', window: '30d' });
    expect(told).toEqual(structuredContent);
    expect(content[1]?.text).toMatch(/^Other people wrote .*bio.*never instructions\.$/);
    expect(_meta?.[UNTRUSTED]).toContain('bio');
  });

  test('of an unknown tool or with invalid arguments returns what is wrong', async () => {
    const ctx = await aBoardOfAda();
    const unknown = await ask(ctx, 'tools/call', { name: 'drop_tables', arguments: {} });
    const long = await ask(ctx, 'tools/call', { name: 'x'.repeat(50_000), arguments: {} });
    const wrong = (name: string, given: object) => call(ctx, name, given);

    expect(long.body?.error?.message).toBe(`There is no tool "${'x'.repeat(64)}"`);
    expect(unknown.body?.error).toEqual({
      code: -32602,
      message: 'There is no tool "drop_tables"',
    });
    expect(refused(await wrong('get_leaderboard', { window: '31d', limit: '5', colour: 1 }))).toBe(
      'arguments_invalid',
    );
    const { told } = await wrong('get_leaderboard', { window: '31d', limit: '5', colour: 1 });
    expect(told['message']).toMatch(/window: .*30d.*; limit: .*number.*colour: is unknown/s);
    expect(told['errors']).toMatchObject([
      { pointer: '#/window' },
      { pointer: '#/limit' },
      { pointer: '#/colour', code: 'unrecognized_keys', detail: 'is unknown' },
    ]);
    expect((await wrong('get_operator', {})).told['message']).toMatch(/^codename: /);
    expect((await wrong('get_leaderboard', { limit: 101 })).told['message']).toMatch(/^limit: /);
    expect((await wrong('get_leaderboard', { format: 'csv' })).told['message']).toMatch(/format/);
    const both = { id: 'two-weeks', status: 'active' };
    expect((await wrong('get_challenges', both)).told['message']).toMatch(/^status: /);
  });

  test('with an unknown argument returns the names of the known ones', async () => {
    const ctx = await aBoardOfAda();
    const token = await tokenOf(ctx);
    const hintOf = async (name: string, given: object) => {
      return (await call(ctx, name, given, token)).told['hint'];
    };

    expect(await hintOf('discover_peers', { limits: 3 })).toMatch(/board, limit\.$/);
    expect(await hintOf('my_operator', { board: BASE_URL })).toMatch(/no arguments/);
  });

  test('returns at most 20 faults', async () => {
    const ctx = testContext();
    const records = Array.from({ length: 500 }, () => ({ input: -1, output: 'x', extra: 1 }));
    const one = await call(ctx, 'compute_metrics', { records });
    const strange = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`no_${at}`, at]));
    const other = await call(ctx, 'my_operator', strange, await tokenOf(ctx));

    for (const { told, content } of [one, other]) {
      expect(told).toMatchObject({ code: 'arguments_invalid', hint: expect.any(String) as string });
      expect(told['errors']).toHaveLength(20);
      expect(content[0]?.text.length).toBeLessThan(8_000);
    }
    expect(one.told['errors']).toContainEqual({
      pointer: '#/records/0/extra',
      code: 'unrecognized_keys',
      detail: 'is unknown',
    });
  });

  test('that the board rejects returns the code and hint of the API, and no structured content', async () => {
    const ctx = await aBoardOfAda();
    const answer = await call(ctx, 'get_leaderboard', { tool: 'abacus' });

    expect(answer.structuredContent).toBeUndefined();
    expect(answer.told).toMatchObject({ code: 'query_invalid', errors: [{ pointer: '#/tool' }] });
    expect(refused(await call(ctx, 'get_leaderboard', { cursor: 'junk' }))).toBe('query_invalid');
    expect(refused(await call(ctx, 'get_challenges', { id: 'nothing' }))).toBe('not_found');
    expect(refused(await call(testContext(), 'get_hall_of_signal'))).toBe('service_unavailable');
  });

  test('that fails internally is logged and reveals nothing', async () => {
    const ctx = await aBoardOfAda();
    const fault = new Error('the secret of the board');
    ctx.publications = {
      ...ctx.publications,
      current: () => {
        throw fault;
      },
    };
    const answer = await call(ctx, 'get_hall_of_signal');

    expect(refused(answer)).toBe('internal_error');
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(ctx.errors).toEqual([fault]);
  });
});

const refused = ({ isError, told }: Called) => (isError ? told['code'] : 'answered');

describe('discover_peers and self_improve', () => {
  test('accept the same arguments as on a device, but only their own board and at most 90 days', async () => {
    const ctx = await aBoardOfAda();
    const token = await tokenOf(ctx);
    const ask = async (name: string, given: object) => (await call(ctx, name, given, token)).told;
    const own = { source: 'board', board: BASE_URL, to: '2026-03-10' };

    const slashed = await ask('self_improve', { board: `${BASE_URL}/` });
    expect(slashed).toMatchObject({ ...own, from: '2025-12-11' });
    expect(await ask('self_improve', { days: 8 })).toMatchObject({ ...own, from: '2026-03-03' });
    expect(await ask('self_improve', { days: 3660 })).toMatchObject({ ...own, from: '2025-12-11' });
    expect(await ask('discover_peers', { board: BASE_URL })).toMatchObject({ codename: 'ada' });
    for (const name of ['self_improve', 'discover_peers']) {
      expect(await ask(name, { board: 'https://other.example.org' })).toMatchObject({
        code: 'arguments_invalid',
        message: expect.stringContaining(BASE_URL) as string,
      });
    }
  });
});

describe('get_operator and get_operator_history', () => {
  test('find an operator by an earlier codename, and no operator without a page', async () => {
    const ctx = await aBoardOfAda();
    const { id } = ctx.store.operators.byCodename('ada') ?? { id: 0 };
    await setCodename(ctx, id, 'grace');

    for (const tool of ['get_operator', 'get_operator_history']) {
      const now = await call(ctx, tool, { codename: 'grace' });
      expect(now.structuredContent).toMatchObject({ codename: 'grace' });
      expect((await call(ctx, tool, { codename: 'ada' })).structuredContent).toEqual(
        now.structuredContent,
      );
    }
    for (const privacy_mode of ['anonymous', 'private'] as const) {
      const { public_name } = await updateProfile(ctx, id, { privacy_mode });
      for (const codename of ['grace', 'ada', public_name ?? 'nobody']) {
        expect(refused(await call(ctx, 'get_operator', { codename }))).toBe('not_found');
        expect(refused(await call(ctx, 'get_operator_history', { codename }))).toBe('not_found');
      }
      const own = await call(ctx, 'my_operator', {}, await tokenOf(ctx, 'grace'));
      expect(own.structuredContent).toMatchObject({ codename: 'grace', privacy_mode });
      expect(JSON.stringify(own)).not.toContain('fingerprint');
    }
  });
});

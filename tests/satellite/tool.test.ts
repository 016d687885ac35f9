import { expect, test } from 'vitest';
import { EXAMPLES } from '#core/contract/examples/examples.ts';
import { getPeers, type Peers } from '#core/contract/peers.ts';
import { pageTool } from '#core/contract/satellite.ts';
import type { PeersAnswer } from '../../src/satellite/answers.ts';
import { toolOver } from '../../src/satellite/tool.ts';

const peers = EXAMPLES[getPeers.id]?.reply as Peers;

/** The tool with a board that returns this answer; records requests, and what the page receives. */
function aTool(answer: PeersAnswer) {
  const asked: string[] = [];
  const shown: PeersAnswer[] = [];
  const ask = async (query: URLSearchParams) => {
    asked.push(query.toString());
    return answer;
  };
  const limits: (string | null)[] = [];
  const tool = toolOver(pageTool(), { peers: ask, signIn: '/login' }, (told, limit) => {
    shown.push(told);
    limits.push(limit);
  });
  return { tool, asked, shown, limits };
}

const errorIn = ({ content }: { content: { text: string }[] }) =>
  JSON.parse(content[0]?.text ?? '') as unknown;

test("returns the board's answer, structured and as text, and shows it", async () => {
  const { tool, asked, shown, limits } = aTool({ kind: 'peers', peers });

  const answer = await tool.execute({ limit: 3 });

  expect(answer).toEqual({
    content: [{ type: 'text', text: JSON.stringify(peers) }],
    structuredContent: peers,
  });
  expect(asked).toEqual(['limit=3']);
  expect(shown).toEqual([{ kind: 'peers', peers }]);
  expect(limits).toEqual(['3']);
});

test('treats missing input as empty', async () => {
  const { tool, asked, limits } = aTool({ kind: 'peers', peers });
  for (const input of [undefined, null, {}]) await tool.execute(input);
  expect(asked).toEqual(['', '', '']);
  expect(limits).toEqual([null, null, null]);
});

test('rejects unknown arguments without a request', async () => {
  const { tool, asked, shown } = aTool({ kind: 'peers', peers });

  const answer = await tool.execute({ codename: 'grace' });

  expect(answer.isError).toBe(true);
  expect(answer).not.toHaveProperty('structuredContent');
  expect(errorIn(answer)).toMatchObject({
    code: 'arguments_invalid',
    message: 'codename: is unknown',
    errors: [{ pointer: '#/codename' }],
  });
  expect([asked, shown]).toEqual([[], []]);
});

test('says to ask the user to sign in if nobody is signed in', async () => {
  const { tool, shown } = aTool({ kind: 'signed-out' });

  const answer = await tool.execute({});

  expect(answer.isError).toBe(true);
  expect(errorIn(answer)).toMatchObject({
    code: 'unauthenticated',
    hint: expect.stringMatching(/^Ask the person to choose "Sign in"/),
  });
  expect(shown).toEqual([{ kind: 'signed-out' }]);
});

test('reports why the board rejected the request', async () => {
  const refusal = { code: 'rate_limited', title: 'Too many', detail: 'Too many', hint: 'Wait.' };
  const { tool } = aTool({ kind: 'refused', refusal });

  const answer = await tool.execute({});

  expect(errorIn(answer)).toEqual({ code: 'rate_limited', message: 'Too many', hint: 'Wait.' });
});

test('never rejects if the page fails', async () => {
  const { tool } = aTool({ kind: 'peers', peers });
  const failing = toolOver(pageTool(), { peers: () => Promise.reject(), signIn: '' }, () => null);

  const answers = await Promise.all([failing.execute({}), tool.execute('text')]);

  expect(answers.map(({ isError }) => isError)).toEqual([true, true]);
});

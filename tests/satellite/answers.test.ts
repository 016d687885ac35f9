import { expect, test } from 'vitest';
import { peersAnswerOf } from '../../src/satellite/answers.ts';

const problem = {
  code: 'quota_exceeded',
  title: 'Too many',
  detail: 'Sixty a minute',
  hint: 'Wait.',
};

test.each([
  ['a refusal', Response.json({ ...problem, status: 429 }, { status: 429 }), problem],
  [
    'a refusal that nothing helps against',
    Response.json({ ...problem, hint: undefined }, { status: 503 }),
    { ...problem, hint: null },
  ],
])('reports %s like the board', async (_, response, refusal) => {
  expect(await peersAnswerOf(Promise.resolve(response))).toEqual({ kind: 'refused', refusal });
});

test('says how long to wait if the board does', async () => {
  const headers = { 'Retry-After': '12' };
  const answer = await peersAnswerOf(
    Promise.resolve(Response.json(problem, { status: 429, headers })),
  );
  expect(answer).toMatchObject({ refusal: { ...problem, hint: 'Try again in 12 seconds.' } });
});

test('treats every 401 as signed out', async () => {
  const answers = [Response.json(problem, { status: 401 }), new Response('', { status: 401 })];
  for (const response of answers) {
    expect(await peersAnswerOf(Promise.resolve(response))).toEqual({ kind: 'signed-out' });
  }
});

test.each([
  ['nothing comes back', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a proxy answers', async () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ['a proxy answers with data', async () => Response.json({ error: 1 }, { status: 502 })],
  ['a proxy answers with nothing', async () => Response.json(null, { status: 502 })],
])('reports an unreachable board if %s', async (_, ask) => {
  expect(await peersAnswerOf(ask())).toMatchObject({
    kind: 'refused',
    refusal: { code: 'unreachable', hint: expect.stringContaining('try again') },
  });
});

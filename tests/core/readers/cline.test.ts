import { expect, test } from 'vitest';
import { cline } from '#core/readers/cline.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines } from '#tests/support/logs/log-fixtures.ts';

// Without the file that tells it, a message of the session counts in the task, too.
describeLogCases(cline, ['continued-task']);

const AT = Date.UTC(2026, 7, 24);

function aRequest(ts: number, info: object, modelInfo?: object): string {
  return JSON.stringify({
    type: 'say',
    say: 'api_req_started',
    ts,
    text: JSON.stringify(info),
    modelInfo,
  });
}

function merged(...files: [path: string, line: string][]) {
  return cline.merge(files.map(([path, line]) => readLines(cline, path, [line])));
}

test('a request keeps its key while its counts arrive, and in another editor', () => {
  const growing = aRequest(AT, { tokensIn: 1, tokensOut: 1 });
  const whole = aRequest(AT, { tokensIn: 1, tokensOut: 9 });

  expect(
    merged(['/a/tasks/7/ui_messages.json', growing], ['C:\\b\\tasks\\7\\ui_messages.json', whole]),
  ).toMatchObject([{ key: `7\n${AT}\napi_req_started`, output: 9 }]);
  expect(
    merged(['/a/tasks/7/ui_messages.json', whole], ['/a/tasks/8/ui_messages.json', whole]),
  ).toHaveLength(2);
});

test('a message of a session has the same key with another ID', () => {
  const aSession = (id: string) => {
    const metrics = { inputTokens: 5, outputTokens: 2, cacheReadTokens: 1 };
    const modelInfo = { provider: 'p', id: 'm' };
    return JSON.stringify({ messages: [{ id, role: 'assistant', ts: AT, metrics, modelInfo }] });
  };

  expect(
    merged(['/s/a/a.messages.json', aSession('1')], ['/s/b/b.messages.json', aSession('2')]),
  ).toMatchObject([{ key: `${AT}\np\nm\n4 2 null 1` }]);
});

test.each([
  ['anthropic', 1000, 700, 100],
  ['openai', 300, null, 100],
  ['litellm', 200, 700, 100],
])('the input of %s', (providerId, input, cache_write, cache_read) => {
  const counts = { tokensIn: 1000, tokensOut: 2, cacheWrites: 700, cacheReads: 100 };
  const known = providerId === 'openai' ? { ...counts, cacheReads: 700, cacheWrites: 300 } : counts;
  const expected =
    providerId === 'openai'
      ? { input, cache_write, cache_read: 700 }
      : { input, cache_write, cache_read };

  expect(
    merged(['/7/ui_messages.json', aRequest(AT, known, { providerId, modelId: 'm' })]),
  ).toMatchObject([expected]);
});

test('searches the folders in its variables, and the storage of the extension', () => {
  const pathsOf = (env: Record<string, string>) => {
    return cline.places({ env, home: '/h', platform: 'linux' }).map(({ path }) => path);
  };

  expect(pathsOf({}).slice(0, 3)).toEqual([
    '/h/.cline/data/sessions',
    '/h/.cline/data/tasks',
    '/h/.config/Code/User/globalStorage/saoudrizwan.claude-dev',
  ]);
  expect(pathsOf({ CLINE_DIR: '/c' }).slice(0, 2)).toEqual(['/c/data/sessions', '/c/data/tasks']);
  expect(pathsOf({ CLINE_DATA_DIR: '/d', CLINE_SESSION_DATA_DIR: '/s' }).slice(0, 2)).toEqual([
    '/s',
    '/d/tasks',
  ]);
});

/** Only what `--dry-run` shows leaves the device: every request is checked. */
import { hostname, userInfo } from 'node:os';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { anInstallation, daysAgo, newCode } from '#tests/support/agent/installation.ts';
import { startServer } from '#tests/support/http/server.ts';
import { type AskedBoard, aStandBetween } from '#tests/support/http/stand-between.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 300_000 };

/** The content of a log apart from counts. */
const SECRETS = {
  prompt: 'tell nobody of the pelican',
  project: 'secret-project',
  branch: 'fix/moon',
};

/** The payload that an envelope signs. */
function payloadOf({ body }: AskedBoard): string {
  const { payload } = JSON.parse(body) as { payload: string };
  return Buffer.from(payload, 'base64').toString('utf8');
}

/** A payload without the members that change with each signature. */
function settled(payload: string): string {
  return payload.replace(/"(submission_id|issued_at)":"[^"]*"/g, '"$1":""');
}

test('the sent data is exactly what is shown, and contains nothing about the computer', async () => {
  const between = await aStandBetween();
  const server = await startServer({ env: { BASE_URL: between.url } });
  between.forwardTo(server.url);
  const device = anInstallation();
  device.logDay(daysAgo(1), COUNTS);
  logSecrets(device.home);

  await device.run('scan');
  await device.run('record', '--window', '7d');
  await device.run('doctor', '--offline');
  expect(between.asked).toEqual([]);

  const cookie = await server.signIn('ada');
  const code = await newCode(server.url, cookie);
  await device.runBuilt('enroll', code, '--board', between.url);
  const before = between.asked.length;
  const shown = await device.runBuilt('submit', '--dry-run');
  const listed = await device.runBuilt('submit', '--dry-run', '--json');
  await device.run('status', '--board', 'https://elsewhere.example.org');
  expect(between.asked).toHaveLength(before);

  await device.runBuilt('submit');
  const rest = [['status'], ['peers'], ['improve'], ['board'], ['doctor'], ['submit'], ['logout']];
  for (const words of rest) await device.run(...words);

  const { asked } = between;
  const payloads = shown.stdout.trimEnd().split('\n');
  const { payloads: inJson } = JSON.parse(listed.stdout) as { payloads: { payload: string }[] };
  const withBody = asked.filter(({ body }) => body !== '');
  const [question, enrollment, ...sent] = withBody;
  expect(withBody.map(({ path }) => path)).toEqual([
    '/api/v1/devices/known',
    '/api/v1/devices/enroll',
    '/api/v1/snapshots',
  ]);
  expect(Object.keys(JSON.parse(question?.body ?? '{}') as object)).toEqual(['code']);
  expect(Object.keys(JSON.parse(enrollment?.body ?? '{}') as object)).toEqual([
    'code',
    'public_key',
    'installation_id',
    'label',
    'proof',
  ]);
  expect(JSON.parse(enrollment?.body ?? '{}')).toMatchObject({
    label: `${process.platform} ${process.arch}`,
  });
  expect(sent.map(payloadOf).map(settled)).toEqual(payloads.map(settled));
  expect(inJson.map(({ payload }) => settled(payload))).toEqual(payloads.map(settled));
  asked.forEach(expectNothingOfTheMachine(device.home));
});

/** A transcript with a prompt, in a folder that is named after a project. */
function logSecrets(home: string): void {
  const folder = join(home, '.claude', 'projects', `-home-ada-${SECRETS.project}`);
  const content = [{ type: 'text', text: SECRETS.prompt }];
  const over = { cwd: `/home/ada/${SECRETS.project}`, gitBranch: SECRETS.branch };
  const at = Date.parse(`${daysAgo(2)}T12:00:00Z`) - Date.UTC(2026, 2, 2);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'a.jsonl'), `${aClaudeLine({ id: 'msg_s', at, content, over })}\n`);
}

/** The headers of Node's own client, and those that a board needs. */
const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'sec-fetch-mode',
  'user-agent',
];

function expectNothingOfTheMachine(home: string) {
  const machine = [home, hostname(), userInfo().username, ...Object.values(SECRETS)];
  return ({ method, path, headers, body }: AskedBoard) => {
    const { authorization = '', 'user-agent': agent, ...others } = headers;
    const said = [decoded(authorization.split('.')[1] ?? ''), decodedBody(body)].map(withoutChance);
    const text = [method, path, JSON.stringify(others), ...said].join('\n');
    for (const word of machine) expect(text).not.toContain(word);
    expect(HEADERS).toEqual(expect.arrayContaining(Object.keys(headers)));
    expect(agent).toBe('node');
  };
}

/** IDs, keys and digests may contain any short word by chance. */
function withoutChance(json: string): string {
  return json.replace(/"(jti|\w+_id|public_key|code_hash)":"[^"]*"/g, '');
}

function decoded(text: string): string {
  return Buffer.from(text, 'base64url').toString('utf8');
}

/** The statement in the proof of an enrollment. */
function decodedBody(body: string): string {
  if (body === '') return '';
  const { payload, proof } = JSON.parse(body) as { payload?: string; proof?: { payload: string } };
  return Buffer.from(payload ?? proof?.payload ?? '', 'base64').toString('utf8');
}

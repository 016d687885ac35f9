import { expect, test } from 'vitest';
import { grokBuild } from '#core/readers/grok-build.ts';
import { describeLogCases } from '#tests/support/logs/log-cases.ts';
import { readLines } from '#tests/support/logs/log-fixtures.ts';

describeLogCases(grokBuild, ['sub-agents', 'sub-agent-fork']);

const AT = Date.UTC(2026, 5, 1);
const usage = { modelUsage: { 'grok-5': { inputTokens: 1, outputTokens: 2 } } };

function aTurn(prompt_id: string): string {
  const update = { sessionUpdate: 'turn_completed', prompt_id, usage };
  return JSON.stringify({ params: { update, _meta: { agentTimestampMs: AT } } });
}

test('identifies a turn by its prompt, else by its time and counts', () => {
  const file = readLines(grokBuild, '/h/.grok/sessions/w/s/updates.jsonl', [aTurn('p'), aTurn('')]);

  expect(grokBuild.merge([file]).map(({ key }) => key)).toEqual([
    'p\ngrok-5',
    `\n${AT}\nxai\ngrok-5\n1 2 null null`,
  ]);
});

test('finds the summary of a session on any platform', () => {
  const folder = 'C:\\Users\\ada\\.grok\\sessions\\w\\s';
  const turn = readLines(grokBuild, `${folder}\\updates.jsonl`, [aTurn('p')]);
  const summaryOf = (session_kind: string | null) => {
    return readLines(grokBuild, `${folder}\\summary.json`, [JSON.stringify({ session_kind })]);
  };

  expect(grokBuild.merge([turn, summaryOf('subagent')])).toEqual([]);
  expect(grokBuild.merge([turn, summaryOf('fork')])).toHaveLength(1);
  expect(grokBuild.merge([turn, summaryOf(null)])).toHaveLength(1);
});

test('does not modify the earlier usage', () => {
  const before = readLines(grokBuild, 's', [aTurn('p')]);
  const kept = structuredClone(before);
  readLines(grokBuild, 's', [aTurn('q'), '{"turn_completed"'], before);

  expect(before).toEqual(kept);
});

test('searches the folder in its variable', () => {
  const pathsOf = (env: Record<string, string>) => {
    return grokBuild.places({ env, home: '/h', platform: 'linux' }).map(({ path }) => path);
  };

  expect(pathsOf({})).toEqual(['/h/.grok/sessions']);
  expect(pathsOf({ GROK_HOME: '~/g' })).toEqual(['/h/g/sessions']);
});

import { describe, expect, test } from 'vitest';
import { runAdmin } from '#tests/support/board/admin.ts';
import { testContext } from '#tests/support/board/context.ts';

const key = (dataDir: string, ...args: string[]) =>
  runAdmin(['key', ...args], { DATA_DIR: dataDir });

describe('opbench-board key', () => {
  test('lists all keys with their limits, without secrets', async () => {
    const { dataDir } = testContext().config;
    const first = await key(dataDir, 'issue', '--label', 'Export');
    await key(dataDir, 'issue', '--label', 'Ürgent — 日本', '--per-minute', '1');

    const { stdout } = await key(dataDir, 'list');
    const [head, ...rows] = stdout.trimEnd().split('\n');

    expect(head).toMatch(/^ID +LABEL +PER MINUTE +CREATED +REVOKED$/);
    expect(rows).toEqual([
      expect.stringMatching(/^[0-9a-f]{12} {2}Export +600 +20\S+Z$/),
      expect.stringMatching(/^[0-9a-f]{12} {2}Ürgent — 日本 +1 +20\S+Z$/),
    ]);
    expect(stdout).not.toContain(first.stdout.trim().slice(16));
  });

  test.each([
    [[], 'issue, list or revoke'],
    [['toString'], 'issue, list or revoke'],
    [['issue'], '--label'],
    [['issue', '--label', 'a', 'b'], 'key issue does not take "b"'],
    [['issue', '--label', 'a', '--per-minute', '0'], '--per-minute'],
    [['issue', '--label', 'a', '--per-minute', '1e3'], '--per-minute'],
    [['issue', '--label', 'a', '--colour', 'red'], 'key issue does not take --colour'],
    [['list', 'x'], 'key list does not take "x"'],
    [['revoke'], 'key revoke takes'],
  ])('explains its usage after %j', async (args, hint) => {
    const { status, stdout, stderr } = await runAdmin(['key', ...args]);

    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(hint);
  });

  test('rejects an invalid label and an unknown ID', async () => {
    const { dataDir } = testContext().config;

    const label = await key(dataDir, 'issue', '--label', 'a\u202Eb');
    const id = await key(dataDir, 'revoke', '000000000000');

    expect([label.status, id.status]).toEqual([1, 3]);
    expect(id.stderr).toContain('There is no API key with the ID "000000000000"');
  });
});

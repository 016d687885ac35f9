import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { auditList } from '#server/admin/commands/audit.ts';
import { challenge } from '#server/admin/commands/challenge.ts';
import type { Command } from '#server/admin/command.ts';
import { heldList, submissionList } from '#server/admin/commands/held.ts';
import { key } from '#server/admin/commands/key.ts';
import { loginLink } from '#server/admin/commands/login-link.ts';
import { messages } from '#server/admin/commands/messages.ts';
import { decide } from '#server/admin/commands/moderation.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { NOW, aBucket } from '#tests/support/board/builders.ts';
import { aDataDir, anEnrolledDevice, submit, testContext } from '#tests/support/board/context.ts';
import { callAdmin } from '#tests/support/board/admin.ts';
import { refusal } from '#tests/support/http/refusal.ts';

/** Runs a command on a board and returns its stdout and stderr. */
const run = (dataDir: string, command: Command, ...args: string[]) =>
  callAdmin(command, args, { DATA_DIR: dataDir });

async function aScene() {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const { answer } = await submit(ctx, device, [aBucket()]);
  ctx.store.transaction(() => changeVisibility(ctx, 1, { privacy_mode: 'anonymous' }));
  const alias = ctx.store.operators.byId(1)?.public_name ?? '';
  return { ctx, dataDir: ctx.config.dataDir, id: answer.id, alias };
}

describe('held', () => {
  test('lists the submissions on hold, with their operators and the reasons', async () => {
    const { ctx, dataDir, id, alias } = await aScene();
    expect(run(dataDir, heldList)).toEqual(['', 'No submission is on hold.\n']);

    decideSubmission(ctx, { kind: 'hold', id, reason: 'Looks made up' });

    const entry = { id, codename: 'ada', public_name: alias, since: NOW };
    const [text] = run(dataDir, heldList);
    expect(text).toContain(`${id} ada (visible as ${alias})`);
    expect(text).toContain(NOW);
    expect(text).toMatch(/ admin\n {2}Looks made up\n$/);
    expect(JSON.parse(run(dataDir, heldList, '--json')[0] ?? '')).toEqual({
      entries: [{ ...entry, by: 'keeper', reason: 'Looks made up' }],
    });
  });
});

describe('submissions', () => {
  test('finds an operator by codename or alias', async () => {
    const { dataDir, id, alias } = await aScene();

    for (const name of ['ada', alias]) {
      const [text = '{}'] = run(dataDir, submissionList, name, '--json');
      expect(JSON.parse(text)).toMatchObject({
        codename: 'ada',
        public_name: alias,
        entries: [{ id, state: 'accepted', trust: 'signed' }],
      });
    }
    const [table, whose] = run(dataDir, submissionList, alias, '--limit', '1');
    expect(table).toContain(id);
    expect(whose).toContain(`ada (visible as ${alias})`);
    expect(() => run(dataDir, submissionList, 'nosuch')).toThrow(refusal('not_found'));
    expect(() => run(dataDir, submissionList, 'ada', '--limit', '-1')).toThrow('from 1 to 10000');
  });
});

describe('an empty list', () => {
  test.each([
    ['messages', messages, [], 'There are no messages.\n'],
    ['challenge list', challenge, ['list'], expect.stringContaining('There are no challenges.')],
    ['audit', auditList, [], 'There are no admin actions yet.\n'],
  ])('of %s is reported on stderr', async (_, command, args, told) => {
    const { dataDir } = await aScene();
    expect(run(dataDir, command, ...args)).toEqual(['', told]);
  });
});

describe('challenge create', () => {
  test('names every missing and invalid option', () => {
    const args = ['create', '--title', 'T', '--min-active-days', '-1', '--min-coverage', 'all'];
    expect(() => run(aDataDir(), challenge, ...args)).toThrow(
      'challenge create needs --description, --metric, --from, --to; --min-active-days takes a number of at least 0; --min-coverage takes a number of at least 0',
    );
  });
});

describe('a folder without a board', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(aDataDir(), 'mistyped');
  });

  test.each([
    ['held', heldList, []],
    ['hold', decide('hold'), ['x', '--reason', 'y']],
    ['key issue', key, ['issue', '--label', 'x']],
    ['login-link', loginLink, ['ada']],
    ['messages', messages, []],
  ])('is rejected by %s and does not change', (_, command, args) => {
    expect(() => run(folder, command, ...args)).toThrow(
      `There is no board in ${folder}. Set DATA_DIR`,
    );
    expect(existsSync(folder)).toBe(false);
  });

  test('becomes a board with the first operator', () => {
    const [url] = run(folder, loginLink, '--new', 'ada');
    expect(url).toContain('/login/link?token=');
  });
});

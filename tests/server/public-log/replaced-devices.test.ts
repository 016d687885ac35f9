import { beforeEach, describe, expect, test } from 'vitest';
import { aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  execute,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { type ForgedEntry, exportOf, forgeLog, verify } from '#tests/support/board/public-log.ts';
import { findingsOf, idsOf, renewed, replace } from '#tests/support/board/replacing.ts';

/** An account in which one device replaced another that had doubled its days, and another account. */
async function aMergedBoard() {
  const ctx = testContext();
  const [old, own] = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'ada')];
  await submit(ctx, old, bucketsOfDays(7, '2026-03-04'));
  await submit(ctx, own, bucketsOfDays(7, '2026-03-04', { output: 70_000 }));
  const stranger = await anEnrolledDevice(ctx, 'bob');
  await submit(ctx, stranger, bucketsOfDays(3, '2026-03-04', { input: 9 }));
  const replaced = idsOf(ctx, old).public_id;
  const again = await replace(ctx, old, { by: await renewed(own) });
  await submit(ctx, again, [aBucket({ day: '2026-03-09', output: 80_000 })]);
  const keys = { old: old.keyid, own: own.keyid, again: again.keyid };
  return { ctx, replaced, foreign: idsOf(ctx, stranger).public_id, keys };
}

describe('a public log with a replaced device', () => {
  let scene: Awaited<ReturnType<typeof aMergedBoard>>;
  let ctx: TestContext;
  let lines: string[];

  /** Created once. No test changes it. */
  let made: Promise<void> | null = null;
  beforeEach(() => (made ??= make()));

  async function make() {
    scene = await aMergedBoard();
    ({ ctx } = scene);
    publishAndKeep(ctx);
    lines = exportOf(ctx);
  }

  const replacing = (text: string | null) => text?.includes('"replaces"') ?? false;
  const forgedBy = (change: (entries: ForgedEntry[]) => ForgedEntry[]) =>
    verify(forgeLog(ctx, lines, change)).codes;
  const withReplaces = (replaces: string | undefined) =>
    forgedBy((entries) =>
      entries.map(({ kind, payload }) => {
        if (!replacing(payload)) return { kind, payload };
        const said = { ...(JSON.parse(payload ?? '') as object), replaces };
        return { kind, payload: JSON.stringify(said) };
      }),
    );

  test('is valid as the board wrote it', () => {
    expect(verify(lines).codes).toEqual([]);
    expect(forgedBy((entries) => entries)).toEqual([]);
  });

  test('reveals a board that merged what the log does not', () => {
    expect(new Set(withReplaces(undefined))).toEqual(new Set(['standing']));
  });

  test('cannot name a device that is unknown or belongs to another account', () => {
    const unknown = withReplaces('6f0f6a4e-0000-4000-8000-000000000000');
    expect(new Set(unknown)).toEqual(new Set(['key_unknown', 'standing']));
    expect(new Set(withReplaces(scene.foreign))).toEqual(new Set(['key_unknown', 'standing']));
  });

  test('cannot name a compromised device', () => {
    const codes = forgedBy((entries) =>
      entries.map(({ kind, payload }) => {
        if (kind !== 'revoke' || !payload?.includes(scene.keys.old)) return { kind, payload };
        const said = { ...(JSON.parse(payload) as object), reason: 'compromised' };
        return { kind, payload: JSON.stringify(said) };
      }),
    );
    expect(codes).toContain('key_unknown');
  });

  test("does not accept signatures by a replaced device's key, even if no entry revokes it", () => {
    const codes = forgedBy((entries) => {
      const isOldKeys = ({ kind, payload }: ForgedEntry) =>
        kind === 'snapshot' && (payload?.includes(scene.keys.old) ?? false);
      const late = entries.filter(isOldKeys);
      const rest = entries.filter(({ kind, payload }) => {
        const isRevoked = kind === 'revoke' && payload?.includes(scene.keys.old);
        return !isRevoked && !isOldKeys({ kind, payload });
      });
      return [...rest, ...late];
    });
    expect(codes).toContain('key_revoked');
  });
});

test('a public log reveals a board that did not merge what the log does', async () => {
  const { ctx, keys } = await aMergedBoard();
  // As they counted before: both devices' days.
  const old = `(SELECT id FROM devices WHERE replaced_by IS NOT NULL)`;
  execute(
    ctx,
    `INSERT INTO buckets (operator_id, day, tool, device_id, provider, model, input, output, log_index, counts)
     SELECT operator_id, day, tool, ${old}, provider, model, 11, 22, log_index, 1 FROM buckets
     WHERE operator_id = 1`,
  );
  publishAndKeep(ctx);

  expect(keys.own).not.toBe(keys.again);
  expect(new Set(verify(exportOf(ctx)).codes)).toEqual(new Set(['standing']));
});

describe('the check of a whole board finds', () => {
  const REPLACED = '(SELECT id FROM devices WHERE replaced_by IS NOT NULL)';

  test.each<[string, (keys: { old: string }) => string, string]>([
    [
      'submissions that stayed with the replaced device',
      ({ old }) => `UPDATE submissions SET device_id = ${REPLACED} WHERE keyid = '${old}'`,
      'has a different device than in the log',
    ],
    [
      'a key that stayed with it',
      ({ old }) => `UPDATE device_keys SET device_id = ${REPLACED} WHERE keyid = '${old}'`,
      'differs from the log',
    ],
    [
      'daily counts that stayed with it',
      () => `UPDATE buckets SET device_id = ${REPLACED} WHERE day = '2026-03-05'`,
      'is missing',
    ],
    [
      'a device that is stored as one of its own',
      () => 'UPDATE devices SET replaced_by = NULL, replaced_at = NULL',
      'is in the log, but not stored',
    ],
    [
      'a replacement that never happened',
      () => `UPDATE devices SET replaced_by = 1 WHERE operator_id = 2`,
      'is stored, but not in the log',
    ],
  ])('%s', async (_, sql, says) => {
    const { ctx, keys } = await aMergedBoard();
    await expect(findingsOf(ctx)).resolves.toEqual([]);

    execute(ctx, sql(keys));

    expect((await findingsOf(ctx)).join('\n')).toContain(says);
  });
});

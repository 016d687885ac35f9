import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hex } from '#core/domain/log/log-entry.ts';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import { checkCheckpoint } from '#core/domain/tlog/checkpoint-check.ts';
import { rootOf } from '#core/domain/tlog/tree.ts';
import { checkpointPath } from '#server/config/config.ts';
import { noteKnownCheckpoint, readLargest } from '#server/public-log/checkpoint-file.ts';
import { REPLACING, replaceFile } from '#server/process/atomic-file.ts';
import { sha256 } from '#server/process/crypto.ts';
import { type TestContext, testContext } from '#tests/support/board/context.ts';
import {
  checkpointsOf,
  growLog,
  logKeyOf,
  policyOf,
} from '#tests/support/tlog/board-checkpoints.ts';

const fileOf = ({ config }: TestContext) => checkpointPath(config);

/** Gives a board the checkpoint file of another one. */
function takeFile(from: TestContext, to: TestContext): void {
  copyFileSync(fileOf(from), fileOf(to));
}

describe('advance()', () => {
  test('shows a signed checkpoint of the whole log, which is in the file', async () => {
    const ctx = testContext();
    growLog(ctx, 300);
    const checkpoints = checkpointsOf(ctx);

    checkpoints.advance();

    const { note, size, root } = checkpoints.shown ?? expect.fail();
    expect(size).toBe(ctx.store.log.head()?.index);
    expect(hex(root)).toBe(hex(rootOf(size, ctx.store.tiles.node, sha256)));
    expect(readFileSync(fileOf(ctx), 'utf8')).toBe(note);
    await checkCheckpoint(note, policyOf(logKeyOf(ctx).vkey), verifyStrict);
    if (process.platform !== 'win32') expect(statSync(fileOf(ctx)).mode & 0o777).toBe(0o600);
  });

  test('writes nothing while the log does not grow, also after a restart', () => {
    const ctx = testContext();
    const checkpoints = checkpointsOf(ctx);
    checkpoints.advance();
    const { shown } = checkpoints;

    const never = () => expect.fail('nothing may be written');
    const restarted = checkpointsOf(ctx, never);
    restarted.advance();
    restarted.advance();

    expect(restarted.shown?.note).toBe(shown?.note);
    expect(ctx.errors).toEqual([]);
  });

  test('shows a larger checkpoint when the log has grown', () => {
    const ctx = testContext();
    const checkpoints = checkpointsOf(ctx);
    checkpoints.advance();
    const before = checkpoints.shown?.size ?? 0;
    growLog(ctx, 1);
    expect(checkpoints.shown?.size).toBe(before);

    checkpoints.advance();

    expect(checkpoints.shown?.size).toBe(before + 1);
  });

  test('shows a held checkpoint once it is allowed to, and never a smaller one after it', () => {
    const ctx = testContext();
    const checkpoints = checkpointsOf(ctx, replaceFile, true);
    checkpoints.advance();
    const first = checkpoints.signed ?? expect.fail();
    expect(checkpoints.shown).toBeNull();
    growLog(ctx, 1);
    checkpoints.advance();
    const second = checkpoints.signed ?? expect.fail();

    checkpoints.show(first);
    expect(checkpoints.shown?.note).toBe(first.note);
    checkpoints.show(second);
    checkpoints.show(first);

    expect(checkpoints.shown?.note).toBe(second.note);
  });

  test('signs nothing if the database has fewer entries than were published', () => {
    const [ctx, older] = [testContext(), testContext()];
    growLog(ctx, 5);
    checkpointsOf(ctx).advance();
    const checkpoints = checkpointsOf(older);
    takeFile(ctx, older);

    checkpoints.advance();
    checkpoints.advance();

    expect(checkpoints).toMatchObject({ shown: null, fault: 'rewound' });
    expect(readFileSync(fileOf(older), 'utf8')).toBe(readFileSync(fileOf(ctx), 'utf8'));
    expect(older.errors).toMatchObject([
      { message: expect.stringContaining('opbench-board restore') },
    ]);
  });

  test.each([0, 7])('signs nothing if the log is another one, with %i more entries', (more) => {
    const [ctx, other] = [testContext(), testContext()];
    checkpointsOf(ctx).advance();
    const checkpoints = checkpointsOf(other);
    takeFile(ctx, other);
    growLog(other, more);

    checkpoints.advance();

    expect(checkpoints).toMatchObject({ shown: null, fault: 'forked' });
    expect(other.errors).toHaveLength(1);
  });

  test.each([
    ['is cut off', (text: string) => text.slice(0, 40)],
    ['is empty', () => ''],
    ['is not text', () => Buffer.from([0xff, 0x0a, 0x0a])],
  ])('signs nothing if the file %s, until it is whole again', (_name, damage) => {
    const ctx = testContext();
    const checkpoints = checkpointsOf(ctx);
    checkpoints.advance();
    const whole = readFileSync(fileOf(ctx), 'utf8');
    writeFileSync(fileOf(ctx), damage(whole));

    checkpoints.advance();
    expect(checkpoints).toMatchObject({ shown: null, fault: 'unreadable' });

    writeFileSync(fileOf(ctx), whole);
    checkpoints.advance();
    expect(checkpoints).toMatchObject({ shown: { note: whole }, fault: null });
  });

  test('signs the same tree under a new origin', () => {
    const ctx = testContext();
    checkpointsOf(ctx).advance();
    ctx.config.baseUrl = 'https://board.example';
    const checkpoints = checkpointsOf(ctx);

    checkpoints.advance();

    expect(checkpoints.shown).toMatchObject({ origin: 'board.example/log' });
    expect(readLargest(fileOf(ctx))?.origin).toBe('board.example/log');
  });
});

describe('a process that ends while it writes', () => {
  const steps = Object.keys(REPLACING) as (keyof typeof REPLACING)[];

  /** Writes until a step, which fails before or after its work, as if the process had been killed there. */
  function endingAt(step: keyof typeof REPLACING, when: 'after' | 'before'): typeof replaceFile {
    return (path, note) => {
      const ending = {
        ...REPLACING,
        [step]: (...given: [string, string]) => {
          if (when === 'after') REPLACING[step](...given);
          throw new Error('ended');
        },
      };
      replaceFile(path, note, ending);
    };
  }

  const isReplaced = (step: string, when: string) => {
    return step === 'syncFolder' || (step === 'rename' && when === 'after');
  };

  const cases = steps.flatMap((step) => [[step, 'before'] as const, [step, 'after'] as const]);

  test.each(cases)('leaves one history, at the step %s, %s it', (step, when) => {
    const ctx = testContext();
    const first = checkpointsOf(ctx);
    first.advance();
    growLog(ctx, 3);

    const ended = checkpointsOf(ctx, endingAt(step, when));
    ended.advance();
    const left = readLargest(fileOf(ctx));
    growLog(ctx, 2);
    const next = checkpointsOf(ctx);
    next.advance();

    // What was not durable was not shown, and the file had the old or the new one.
    expect(ended.shown).toBeNull();
    expect(next.fault).toBeNull();
    const seen = [first.shown, left, next.shown].filter((each) => each !== null);
    expect(seen.map(({ size }) => size)).toEqual([3, isReplaced(step, when) ? 6 : 3, 8]);
    for (const { size, root } of seen) {
      expect(hex(root)).toBe(hex(rootOf(size, ctx.store.tiles.node, sha256)));
    }
  });
});

describe('noteKnownCheckpoint()', () => {
  test('keeps the larger checkpoint, so that a restored board signs nothing smaller', () => {
    const ctx = testContext();
    const checkpoints = checkpointsOf(ctx);
    checkpoints.advance();
    const small = readFileSync(fileOf(ctx), 'utf8');
    growLog(ctx, 1);
    checkpoints.advance();
    const large = readFileSync(fileOf(ctx), 'utf8');

    const restored = testContext();
    expect(existsSync(fileOf(restored))).toBe(false);
    noteKnownCheckpoint(fileOf(restored), large);
    noteKnownCheckpoint(fileOf(restored), small);

    expect(readFileSync(fileOf(restored), 'utf8')).toBe(large);
  });
});

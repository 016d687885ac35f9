import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Backup } from '#server/backups/backup-file.ts';
import type { MakeBackup } from '#server/backups/backup-thread.ts';
import { datedBackupPath } from '#server/backups/dated-backups.ts';
import { ScheduledBackups, isDue } from '#server/backups/scheduled-backups.ts';
import { type Actor, BOARD } from '#server/process/admin-actions.ts';
import { BackupError } from '#server/process/backup-error.ts';
import { createLogger } from '#server/process/logger.ts';
import { DAY_MS } from '#tests/support/board/builders.ts';
import { aDataDir } from '#tests/support/board/context.ts';

const HOUR_MS = 60 * 60_000;
const MADE: Omit<Backup, 'path'> = { bytes: 7, head: null, operators: 0 };

const writes: MakeBackup = async ({ path }) => {
  writeFileSync(path, 'whole');
  return { path, ...MADE };
};
const fails: MakeBackup = () => Promise.reject(new BackupError('disk', 'The disk is full.'));

/** A schedule with its own folder and clock, at 03:20. */
function aSchedule({ keep = 3, folder = aDataDir() } = {}) {
  const clock = { nowMs: Date.parse('2026-11-24T12:00:00Z'), driftMs: 0 };
  const recorded: string[] = [];
  const actors: Actor[] = [];
  const failures: unknown[] = [];
  const lines: string[] = [];
  const state = {
    make: writes,
    record: (path: string) => void recorded.push(path),
    onFailure: (error: unknown) => void failures.push(error),
  };

  const backups = new ScheduledBackups({
    folder,
    keep,
    atMinutes: 200,
    database: 'opbench.sqlite',
    make: (request, signal) => state.make(request, signal),
    record: (path, _madeAt, by) => {
      actors.push(by);
      state.record(path);
    },
    onFailure: (error) => state.onFailure(error),
    now: () => new Date(clock.nowMs + clock.driftMs),
    steadyMs: () => clock.nowMs,
    logger: createLogger((line) => lines.push(line)),
  });
  const events = () => lines.map((line) => (JSON.parse(line) as { event: string }).event);
  const add = (...times: string[]) => {
    times.forEach((time) => writeFileSync(datedBackupPath(folder, new Date(time)), time));
  };
  return {
    backups,
    clock,
    folder,
    recorded,
    actors,
    failures,
    lines,
    events,
    add,
    state,
    files: () => readdirSync(folder).sort(),
  };
}

describe('isDue()', () => {
  const now = new Date('2026-11-24T12:00:00Z');

  test.each([
    [null, 200, true],
    ['2026-11-24T03:19:59Z', 200, true],
    ['2026-11-24T03:20:00Z', 200, false],
    ['2026-11-23T12:00:01Z', 720, true],
    ['2026-11-23T23:00:00Z', 1380, false],
    ['2026-11-23T22:59:59Z', 1380, true],
  ])('with the newest from %s and a time of %i minutes: %s', (newest, atMinutes, due) => {
    expect(isDue(newest === null ? null : new Date(newest), atMinutes, now)).toBe(due);
  });
});

describe('ScheduledBackups', () => {
  test('makes the backup of a day once, records it, and makes the next on the next day', async () => {
    const { backups, clock, files, recorded, events } = aSchedule();
    await backups.look();
    await backups.look();
    expect(files()).toEqual(['opbench-2026-11-24T120000Z.sqlite']);

    clock.nowMs = Date.parse('2026-11-25T03:19:59Z');
    await backups.look();
    expect(files()).toHaveLength(1);
    clock.nowMs += 1_000;
    await backups.look();

    expect(files()).toHaveLength(2);
    expect(recorded).toHaveLength(2);
    expect(events()).toEqual(['backup_made', 'backup_made']);
    expect(backups.health).toEqual({ state: 'ok', age_s: 0 });
  });

  test('does nothing after a restart if the backup of the day exists', async () => {
    const { backups, add, events } = aSchedule();
    add('2026-11-24T03:20:07Z');

    await backups.look();

    expect(events()).toEqual([]);
    expect(backups.health).toEqual({ state: 'ok', age_s: 8 * 3_600 + 39 * 60 + 53 });
  });

  test('keeps some backups and deletes older ones, but no other files', async () => {
    const { backups, add, folder, files } = aSchedule();
    add(
      '2026-11-20T03:20:00Z',
      '2026-11-21T03:20:00Z',
      '2026-11-22T03:20:00Z',
      '2026-11-23T03:20:00Z',
    );
    writeFileSync(join(folder, 'board.sqlite'), 'by hand');
    writeFileSync(
      join(folder, 'opbench-2026-11-01T032000Z.sqlite.7.opbench.tmp'),
      'of another program',
    );

    await backups.look();

    expect(files()).toEqual([
      'board.sqlite',
      'opbench-2026-11-01T032000Z.sqlite.7.opbench.tmp',
      'opbench-2026-11-22T032000Z.sqlite',
      'opbench-2026-11-23T032000Z.sqlite',
      'opbench-2026-11-24T120000Z.sqlite',
    ]);
  });

  test('deletes backups after 30 days, but not while the clock may be wrong', async () => {
    const { backups, clock, add, files } = aSchedule();
    add('2026-10-25T11:59:59Z', '2026-10-25T12:00:00Z');
    await backups.look();
    expect(files()).toEqual([
      'opbench-2026-10-25T120000Z.sqlite',
      'opbench-2026-11-24T120000Z.sqlite',
    ]);

    clock.driftMs = 400 * DAY_MS;
    await backups.look();
    expect(files()).toHaveLength(3);
  });

  test('replaces backups with a time in the future first, and does not wait for that time', async () => {
    const { backups, add, files } = aSchedule({ keep: 2 });
    add('2026-11-23T03:20:00Z', '2031-01-01T00:00:00Z', '2032-01-01T00:00:00Z');

    await backups.look();

    expect(files()).toEqual([
      'opbench-2026-11-23T032000Z.sqlite',
      'opbench-2026-11-24T120000Z.sqlite',
    ]);
  });

  test('deletes nothing if a backup fails, and tries again after an hour', async () => {
    const { backups, clock, add, files, failures, lines, events, state } = aSchedule({ keep: 1 });
    add('2026-11-21T03:20:00Z', '2026-11-22T03:20:00Z');
    state.make = fails;
    await backups.look();
    expect(backups.health).toMatchObject({ state: 'failed' });
    expect(lines[0]).toContain('"reason":"The disk is full."');
    expect(failures).toHaveLength(1);

    clock.nowMs += HOUR_MS - 1;
    await backups.look();
    expect([events(), files().length]).toEqual([['backup_failed'], 2]);

    state.make = writes;
    clock.nowMs += 1;
    await backups.look();
    expect(events()).toEqual(['backup_failed', 'backup_made', 'backups_expired']);
    expect(files()).toEqual(['opbench-2026-11-24T130000Z.sqlite']);
    expect(backups.health).toEqual({ state: 'ok', age_s: 0 });
  });

  test('never makes two at once', async () => {
    const { backups, clock, state, recorded } = aSchedule();
    const held = Promise.withResolvers<undefined>();
    let running = 0;
    state.make = async (request, signal) => {
      running += 1;
      await held.promise;
      return writes(request, signal);
    };
    const all = [backups.look(), backups.makeNow(), backups.makeNow()];
    clock.nowMs += DAY_MS;
    all.push(backups.look());
    expect([running, backups.isRunning]).toEqual([1, true]);

    held.resolve(undefined);
    await Promise.all(all);

    expect([running, recorded.length, backups.isRunning]).toEqual([1, 1, false]);
  });

  test('makes one for an admin besides the schedule, unless one is being made', async () => {
    const { backups, clock, actors, files } = aSchedule();
    const ada = { operator_id: 1, via: 'page' } as const;
    const scheduled = backups.look();
    expect(backups.makeFor(ada)).toBe(false);
    await scheduled;
    clock.nowMs += 1_000;

    expect(backups.makeFor(ada)).toBe(true);
    expect(backups.status).toEqual({
      runningSince: new Date('2026-11-24T12:00:01Z'),
      outcome: { endedAt: new Date('2026-11-24T12:00:00Z'), bytes: 7, seconds: 0 },
    });
    expect(backups.makeFor(ada)).toBe(false);
    await backups.makeNow();

    expect([actors, files().length, backups.status.runningSince]).toEqual([[BOARD, ada], 2, null]);
  });

  test('does not make a second one in the same second, which would have the same name', async () => {
    const { backups, events, files } = aSchedule();
    await backups.makeNow();
    await backups.makeNow();

    expect([files().length, events(), backups.health.state]).toEqual([1, ['backup_made'], 'ok']);
  });

  test('keeps why the last attempt failed, without the details of unexpected errors', async () => {
    const { backups, clock, state } = aSchedule();
    const endedAt = new Date(clock.nowMs);
    state.make = fails;
    await backups.makeNow();
    expect(backups.status.outcome).toEqual({ endedAt, failure: 'The disk is full.' });

    state.make = () => Promise.reject(new Error('at line 7'));
    await backups.makeNow();
    const failure = expect.stringMatching(/^An unexpected error\. .*backup_failed/) as unknown;
    expect(backups.status.outcome).toEqual({ endedAt, failure });
  });

  test('is late if the newest backup is older than two days, for example because one hangs', async () => {
    const { backups, clock, add, state } = aSchedule();
    add('2026-11-23T12:00:00Z');
    state.make = () => new Promise(() => undefined);
    void backups.look();
    clock.nowMs += DAY_MS;
    expect(backups.health.state).toBe('ok');
    clock.nowMs += 1;
    expect(backups.health).toEqual({ state: 'late', age_s: 2 * 86_400 });
  });

  test('reports a folder that disappeared, and continues when it is back', async () => {
    const { backups, clock, folder, events } = aSchedule();
    rmSync(folder, { recursive: true });
    await backups.look();
    expect([events(), backups.health.state]).toEqual([['backup_failed'], 'failed']);

    mkdirSync(folder);
    clock.nowMs += HOUR_MS;
    await backups.look();
    expect(backups.health.state).toBe('ok');
  });

  test('counts a backup that could not be recorded', async () => {
    const { backups, state, files, events } = aSchedule();
    state.record = () => {
      throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
    };
    await backups.look();
    expect([files().length, events()]).toEqual([1, ['backup_made', 'backup_not_recorded']]);
    expect(backups.health).toEqual({ state: 'ok', age_s: 0 });
  });

  test('reports nothing about a backup that the end of the server interrupts', async () => {
    const { backups, events, state } = aSchedule();
    state.make = (_request, signal) => {
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('The thread ended')));
      });
    };
    const made = backups.look();
    await Promise.all([backups.close(), made]);

    expect([events(), backups.health.state]).toEqual([[], 'ok']);
  });
});

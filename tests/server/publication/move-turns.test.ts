import { expect, test } from 'vitest';
import type { Move } from '#db/engine/moves.ts';
import { runMoves } from '#db/engine/moves.ts';
import { type MoveNotice, MoveTurns } from '#server/publication/move-turns.ts';
import { eventually } from '#tests/support/http/server.ts';

/** Moves one row with each step. */
function aMove(name: string, rows: number): Move & { rows: number } {
  const move = {
    name,
    rows,
    left: () => move.rows,
    step() {
      if (move.rows === 0) return false;
      move.rows -= 1;
      return true;
    },
  };
  return move;
}

function turnsOf(moves: Move[]) {
  const notices: MoveNotice[] = [];
  const turns = new MoveTurns(moves, (notice) => notices.push(notice));
  const settle = () => eventually(async () => turns.isSettled, Boolean);
  return { turns, notices, settle };
}

test('moves run one after the other, and only those with rows are reported', async () => {
  const { turns, notices, settle } = turnsOf([
    aMove('log', 2),
    aMove('empty', 0),
    aMove('days', 1),
  ]);
  turns.goOn();
  await settle();
  expect(notices).toEqual([
    { move: 'log', state: 'started', rows: 2 },
    { move: 'log', state: 'ended', rows: 0 },
    { move: 'days', state: 'started', rows: 1 },
    { move: 'days', state: 'ended', rows: 0 },
  ]);
});

test('a publication pauses a move, which then continues where it was', async () => {
  const move = aMove('log', 2);
  const { turns, settle } = turnsOf([move]);
  turns.goOn();
  turns.rest();
  expect([turns.isSettled, move.rows]).toEqual([false, 2]);
  turns.goOn();
  await settle();
  expect(move.rows).toBe(0);
});

test('a move that fails is reported without its message, and the next one runs', async () => {
  const stuck = {
    name: 'log',
    left: () => 1,
    step: () => {
      throw new RangeError('ada');
    },
  };
  const next = aMove('days', 1);
  const { turns, notices, settle } = turnsOf([stuck, next]);
  turns.goOn();
  await settle();
  expect(notices).toContainEqual({ move: 'log', state: 'stopped', rows: 1, failed: 'RangeError' });
  expect(next.rows).toBe(0);
});

test('a move continues after the next publication if the storage failed', async () => {
  const move = aMove('log', 2);
  const { step } = move;
  let fails = 1;
  move.step = () => {
    if (fails-- > 0) throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
    return step();
  };
  const { turns, notices, settle } = turnsOf([move]);
  turns.goOn();
  await eventually(
    async () => fails,
    (left) => left === 0,
  );
  expect([turns.isSettled, move.rows]).toEqual([false, 2]);

  turns.goOn();
  await settle();
  expect(move.rows).toBe(0);
  expect(notices.map(({ state }) => state)).toEqual(['started', 'ended']);
});

test('offline, all moves are finished at once', () => {
  const moves = [aMove('log', 3), aMove('days', 2)];
  runMoves({ moves });
  expect(moves.map(({ rows }) => rows)).toEqual([0, 0]);
});

import { describe, expect, test } from 'vitest';
import {
  bytesBetween,
  numberAt,
  NumberHeap,
  numberBlocksUpTo,
  positionsOf,
  resizedColumn,
  sharedColumn,
  textAt,
  TextHeap,
} from '#server/publication/state/blocks.ts';

/** More than a third of a block. */
const LONG = 900_000;

describe('NumberHeap', () => {
  test('keeps each list of numbers within one block', () => {
    const heap = new NumberHeap();
    const lists = [1, 2, 3, 4, 5].map((value) => new Float64Array(LONG).fill(value));
    const positions = lists.map((list) => heap.write(list, list.length));

    expect(heap.blocks).toHaveLength(3);
    expect(positions.every((position) => position > 0)).toBe(true);
    positions.forEach((position, index) => {
      expect(numberAt(heap.blocks, position)).toBe(index + 1);
      expect(numberAt(heap.blocks, position + LONG - 1)).toBe(index + 1);
    });
  });

  test('continues where another one ended, in the same memory', () => {
    const first = new NumberHeap();
    const position = first.write(Float64Array.of(7), 1);
    const second = new NumberHeap(first.blocks, first.next);
    second.write(Float64Array.of(8), 1);

    expect(second.blocks[0]).toBe(first.blocks[0]);
    expect(numberAt(second.blocks, position)).toBe(7);
  });
});

test('bytes are copied from one position to another, across blocks', () => {
  const heap = new NumberHeap();
  for (let value = 1; value <= 5; value += 1) heap.write(new Float64Array(LONG).fill(value), LONG);
  const from = LONG - 10;
  const copy = numberBlocksUpTo([], heap.next);
  const target = bytesBetween(copy, from, heap.next);
  bytesBetween(heap.blocks, from, heap.next).forEach((piece, index) => target[index]?.set(piece));

  expect(copy).toHaveLength(heap.blocks.length);
  for (const position of [from, from + 20, 2 * LONG, heap.next - 1]) {
    expect(numberAt(copy, position)).toBe(numberAt(heap.blocks, position));
  }
  expect(numberAt(copy, from - 1)).toBe(0);
  expect(numberBlocksUpTo([], new NumberHeap().next)).toEqual([]);
});

describe('TextHeap', () => {
  test('returns each text, and finds those that contain another once', () => {
    const heap = new TextHeap();
    const texts = ['ada ada', 'Bördë', `${'x'.repeat(700_000)}ada`, 'y'.repeat(700_000), 'ada'];
    const positions = texts.map((text) => heap.write(text));

    expect(positions.map((position) => textAt(heap.blocks, position))).toEqual(texts);
    expect(heap.blocks).toHaveLength(2);
    const found = [...positionsOf(heap.blocks, 'ada')];
    expect(found).toEqual([0, 2, 4].map((index) => positions[index]));
    expect([...positionsOf(heap.blocks, 'dë')]).toEqual([positions[1]]);
    expect([...positionsOf(heap.blocks, 'nobody')]).toEqual([]);
  });
});

test('a column grows without losing anything', () => {
  const column = sharedColumn(2);
  column.set([3, 4]);

  expect([...resizedColumn(column, 4)]).toEqual([3, 4, 0, 0]);
  expect([...resizedColumn(column, 1)]).toEqual([3]);
});

import { describe, expect, test, vi } from 'vitest';
import { createLines } from '#server/log-lines.ts';

/** Lines to a sink that takes so many bytes at a time. */
function aSink(takes = Infinity) {
  const sink = { takes, text: '', writes: 0 };
  const lines = createLines((bytes) => {
    const taken = bytes.subarray(0, Math.min(bytes.length, sink.takes));
    sink.text += taken.toString();
    sink.writes += 1;
    return taken.length;
  });
  return { sink, lines };
}

describe('createLines()', () => {
  test('writes many lines at once, and all of them before what is said at once', () => {
    const { sink, lines } = aSink();

    for (let at = 0; at < 100; at += 1) lines.add(`${at}\n`);
    expect(sink.writes).toBe(0);
    lines.say('now\n');

    expect(sink.writes).toBe(1);
    expect(sink.text).toBe(`${Array.from({ length: 100 }, (_, at) => at).join('\n')}\nnow\n`);
  });

  test('writes what waits after a moment, and at once when much of it waits', () => {
    vi.useFakeTimers();
    try {
      const { sink, lines } = aSink();
      lines.add('one\n');
      vi.advanceTimersByTime(1_000);
      expect(sink.text).toBe('one\n');

      lines.add('x'.repeat(100_000));

      expect(sink.text).toHaveLength(100_004);
    } finally {
      vi.useRealTimers();
    }
  });

  test('offers again what was not taken, in order and whole', () => {
    const { sink, lines } = aSink(3);

    lines.say('grün\n');
    lines.add('blau\n');
    expect(sink.text).toBe('gr\ufffd'.slice(0, 2) + '\ufffd');
    sink.text = '';
    sink.takes = Infinity;

    expect(lines.flush()).toBe(true);
    expect(sink.text.endsWith('n\nblau\n')).toBe(true);
  });

  test('keeps a few megabytes at most while nothing is taken', () => {
    const { sink, lines } = aSink(0);

    for (let at = 0; at < 100; at += 1) lines.say('x'.repeat(100_000));
    sink.takes = Infinity;
    lines.flush();

    expect(sink.text.length).toBeGreaterThan(4_000_000);
    expect(sink.text.length).toBeLessThan(4_500_000);
  });
});

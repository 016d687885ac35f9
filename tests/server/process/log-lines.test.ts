import { describe, expect, test, vi } from 'vitest';
import { createLines } from '#server/process/logger.ts';

/** Lines to a sink that accepts this many bytes at a time. */
function aSink(takes = Infinity) {
  const parts: Buffer[] = [];
  const sink = { takes, parts, text: () => Buffer.concat(parts).toString() };
  const lines = createLines((bytes) => {
    // A copy, because the buffer may be reused.
    parts.push(Buffer.from(bytes.subarray(0, sink.takes)));
    return Math.min(bytes.length, sink.takes);
  });
  return { sink, lines };
}

describe('createLines()', () => {
  test('writes many lines at once, and all of them before an immediate one', () => {
    const { sink, lines } = aSink();

    for (let at = 0; at < 100; at += 1) lines.add(`${at}\n`);
    expect(sink.parts).toHaveLength(0);
    lines.say('now\n');

    expect(sink.parts).toHaveLength(1);
    expect(sink.text()).toBe(`${Array.from({ length: 100 }, (_, at) => at).join('\n')}\nnow\n`);
  });

  test('writes waiting lines after a moment, and immediately if there are many', () => {
    vi.useFakeTimers();
    try {
      const { sink, lines } = aSink();
      lines.add('one\n');
      vi.advanceTimersByTime(1_000);
      expect(sink.text()).toBe('one\n');

      lines.add('x'.repeat(100_000));

      expect(sink.text()).toHaveLength(100_004);
    } finally {
      vi.useRealTimers();
    }
  });

  test('passes unwritten bytes again, in order and complete', () => {
    const { sink, lines } = aSink(3);
    const all = 'grün\nblau\nrot\n';

    lines.say('grün\n');
    lines.add('blau\n');
    lines.say('rot\n');
    expect(Buffer.concat(sink.parts)).toEqual(Buffer.from(all).subarray(0, 6));
    let calls = 1;
    while (!lines.flush()) calls += 1;

    expect(Buffer.concat(sink.parts).toString()).toBe(all);
    expect(calls).toBe(Math.ceil((Buffer.byteLength(all) - 6) / 3));
  });

  test('keeps a few megabytes at most while nothing is read', () => {
    const { sink, lines } = aSink(0);

    for (let at = 0; at < 100; at += 1) lines.say('x'.repeat(100_000));
    sink.takes = Infinity;
    lines.flush();

    expect(sink.text().length).toBeGreaterThan(4_000_000);
    expect(sink.text().length).toBeLessThan(4_500_000);
  });
});

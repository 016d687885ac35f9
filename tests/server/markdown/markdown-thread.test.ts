import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MarkdownThread } from '#server/markdown/markdown-thread.ts';
import { endOf, startedThreads } from '#tests/support/board/threads.ts';

const SOURCE = new URL('../../../src/server/markdown/markdown-worker.ts', import.meta.url);
const PAGE = { url: 'https://b.example/science', day: '2026-05-01' };
const htmlOf = (text: string) => `<main><h1>T</h1><p>${text}</p></main>`;

/** A thread that runs a statement for each page before it responds, and that hangs or crashes at these words. */
const MISCHIEF = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ html }) => {
      if (html === 'hang') for (;;);
      if (html === 'grow') for (const all = []; ; ) all.push(new Array(1e5).fill({}));
      parentPort.postMessage({ text: html, canonical: null });
    });`)}`,
);

function aThread(workerUrl: URL, times: { maxPageMs?: number; idleMs?: number } = {}) {
  const events: string[] = [];
  const thread = new MarkdownThread({
    workerUrl,
    logger: { error: (event) => events.push(event), warn: (event) => events.push(event) },
    ...times,
  });
  onTestFinished(() => thread.stop());
  const textOf = async (html: string) => (await thread.convert({ html, ...PAGE })).text;
  return { thread, textOf, events };
}

const UNAVAILABLE = expect.objectContaining({ code: 'service_unavailable' }) as Error;

describe('the thread that converts pages to Markdown', () => {
  test('does not block the main thread while it converts a long page', async () => {
    const { textOf } = aThread(SOURCE);
    await textOf(htmlOf('warm'));
    const long = '<table><tr><td>Text</td></tr></table>'.repeat(4_000);
    const { user, system } = process.threadCpuUsage();
    const text = await textOf(htmlOf(long));
    const used = process.threadCpuUsage({ user, system });

    expect(text.match(/Text/g)).toHaveLength(4_000);
    // Converting takes many times as long.
    expect((used.user + used.system) / 1000).toBeLessThan(100);
  });

  test('converts pages one after the other, and independently', async () => {
    const { textOf } = aThread(SOURCE);
    const texts = await Promise.all(['a', 'b', 'c'].map((name) => textOf(htmlOf(name))));

    expect(texts.map((text) => text.trimEnd().at(-1))).toEqual(['a', 'b', 'c']);
  });

  test('reports invalid pages, and continues', async () => {
    const { textOf } = aThread(SOURCE);

    await expect(textOf('<p>Nothing</p>')).rejects.toThrow('The page has no main');
    expect(await textOf(htmlOf('Text'))).toContain('Text');
  });

  test.each([
    ['hang', ['markdown_hangs']],
    ['grow', ['markdown_failed']],
  ])('rejects a page at which it would %s, and converts the next', async (mischief, events) => {
    const isSlow = mischief === 'hang';
    const { textOf, events: seen } = aThread(MISCHIEF, isSlow ? { maxPageMs: 1_500 } : {});
    const refused = textOf(mischief);
    const next = textOf('next');

    await expect(refused).rejects.toEqual(UNAVAILABLE);
    expect(await next).toBe('next');
    expect(seen).toEqual(events);
  });

  test('ends when it is idle, and starts again with the next page', async () => {
    const threads = startedThreads();
    const { textOf, events } = aThread(SOURCE, { idleMs: 1 });

    await textOf(htmlOf('one'));
    await endOf(threads);
    expect(await textOf(htmlOf('two'))).toContain('two');
    await endOf(threads);
    expect(events).toEqual([]);
  });

  test('rejects pages that are too long, and more than 50 at the same time', async () => {
    const { textOf } = aThread(MISCHIEF);
    const many = Array.from({ length: 51 }, (_, at) => textOf(String(at)));

    await expect(many[50]).rejects.toEqual(UNAVAILABLE);
    await Promise.all(many.slice(0, 50));
    await setImmediate();
    expect(await textOf('again')).toBe('again');
    await expect(textOf('x'.repeat(2 * 1024 * 1024 + 1))).rejects.toEqual(UNAVAILABLE);
  });
});

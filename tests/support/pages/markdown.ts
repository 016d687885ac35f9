/** The thread that converts pages, from its source. */
import { afterAll } from 'vitest';
import { MarkdownThread, type ToMarkdown } from '#server/markdown/markdown-thread.ts';

/** One thread for all tests of a file. */
export function aConverter(): ToMarkdown {
  const workerUrl = new URL('../../../src/server/markdown/markdown-worker.ts', import.meta.url);
  const logger = { error: () => undefined, warn: () => undefined };
  const thread = new MarkdownThread({ workerUrl, logger });
  afterAll(() => thread.stop());
  return (request) => thread.convert(request);
}

/** Converts pages to Markdown in a thread, so that requests do not wait. */
import { parentPort } from 'node:worker_threads';
import { type PageFacts, canonicalOf, markdownPieces } from './page-markdown.ts';

export interface MarkdownRequest extends PageFacts {
  html: string;
}

export interface PageMarkdown {
  text: string;
  canonical: string | null;
}

export type MarkdownMessage = PageMarkdown | { failed: string };

const port = parentPort;
port?.on('message', (request: MarkdownRequest) => {
  port.postMessage(answerTo(request));
});

function answerTo({ html, ...facts }: MarkdownRequest): MarkdownMessage {
  try {
    return { text: [...markdownPieces(html, facts)].join(''), canonical: canonicalOf(html) };
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

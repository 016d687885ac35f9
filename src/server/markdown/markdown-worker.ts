/** The thread that turns pages into Markdown, so that no request waits for it. */
import { parentPort } from 'node:worker_threads';
import { type PageFacts, canonicalOf, markdownPieces } from './page-markdown.ts';

/** A page's HTML, and what its Markdown says of it. */
export interface MarkdownRequest extends PageFacts {
  html: string;
}

export interface PageMarkdown {
  text: string;
  /** What the page calls its own address; null where it does not. */
  canonical: string | null;
}

/** What the thread answers: the Markdown, or why there is none. */
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

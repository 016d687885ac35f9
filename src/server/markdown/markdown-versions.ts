/** Answers requests for Markdown versions, by converting the page's HTML. */
import { pageOfMarkdown, markdownPath } from '#core/contract/site-routes.ts';
import {
  type PreparedResponse,
  prepareResponse,
  weakTag,
  withoutMoments,
} from '../http/response/prepared-response.ts';
import { prefersMarkdown } from '../http/request/accept.ts';
import type { ToMarkdown } from './markdown-thread.ts';

const MARKDOWN_MEDIA_TYPE = 'text/markdown; charset=utf-8';

/** The page's URL, and the day on which it is based. */
interface MarkdownFacts {
  baseUrl: string;
  page: string;
  day: string | null;
  toMarkdown: ToMarkdown;
}

/** Renders pages that are not prepared, and knows the day on which they are based. */
interface Renderer {
  baseUrl: string;
  render: (request: Request) => Promise<Response>;
  day: () => string | null;
  toMarkdown: ToMarkdown;
}

/**
 * Renders the requested page, or the page of a requested Markdown version. "Not found" is also answered in Markdown.
 */
export async function renderPageOrMarkdown(
  request: Request,
  { baseUrl, render, day, toMarkdown }: Renderer,
): Promise<Response> {
  const page = pageOfMarkdown(request.url.slice(baseUrl.length));
  if (page === null) {
    const answer = await render(request);
    const isMissing = answer.status === 404 && prefersMarkdown(request.headers.get('accept'));
    if (!isMissing) return answer;
    const asked = request.url.slice(baseUrl.length);
    return markdownResponse(answer, { baseUrl, page: asked, day: day(), toMarkdown });
  }
  const html = await render(new Request(baseUrl + page, { headers: request.headers }));
  return markdownResponse(html, { baseUrl, page, day: day(), toMarkdown });
}

/** Makes the Markdown version of a prepared page. */
export async function prepareMarkdown(
  page: PreparedResponse,
  facts: MarkdownFacts,
): Promise<PreparedResponse> {
  const { status, headers, encodings } = page;
  const html = new Response(Buffer.from(encodings.identity.bytes), { status, headers });
  return prepareResponse(await markdownResponse(html, facts));
}

/** Converts a page's response to its Markdown version. A redirect leads to a Markdown version as well. */
export async function markdownResponse(answer: Response, facts: MarkdownFacts): Promise<Response> {
  const { status } = answer;
  const headers = new Headers(answer.headers);
  const location = headers.get('Location');
  if (location !== null) headers.set('Location', markdownPath(location) ?? location);
  if (!headers.get('Content-Type')?.startsWith('text/html')) {
    return new Response(answer.body, { status, headers });
  }
  const url = facts.baseUrl + facts.page;
  headers.set('Content-Type', MARKDOWN_MEDIA_TYPE);
  const html = await answer.text();
  const { text, canonical } = await facts.toMarkdown({ html, url, day: facts.day });
  // Uses the URL that the page states, because the request's query is untrusted.
  if (status === 200) {
    headers.set('ETag', weakTag(`${MARKDOWN_MEDIA_TYPE}\n${withoutMoments(html)}`));
    if (canonical !== null) headers.set('Link', `<${canonical}>; rel="canonical"`);
  }
  return new Response(text, { status, headers });
}

/** Pages as Markdown: the same page's HTML, converted. */
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

/** Of which page, and when it was made. */
interface MarkdownFacts {
  baseUrl: string;
  page: string;
  day: string | null;
  toMarkdown: ToMarkdown;
}

/** What answers pages that are not finished, and of which day they are. */
interface Renderer {
  baseUrl: string;
  render: (request: Request) => Promise<Response>;
  day: () => string | null;
  toMarkdown: ToMarkdown;
}

/** Renders what is asked for, or the page of which it is the twin; that there is no page is said as Markdown, too. */
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

/** The twin of a page that is finished already. */
export async function prepareMarkdown(
  page: PreparedResponse,
  facts: MarkdownFacts,
): Promise<PreparedResponse> {
  const { status, headers, encodings } = page;
  const html = new Response(Buffer.from(encodings.identity.bytes), { status, headers });
  return prepareResponse(await markdownResponse(html, facts));
}

/** What a page answered, as its twin answers it: a redirection leads to a twin, too. */
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
  // As the page says it: who asked may have written anything into the query.
  if (status === 200) {
    headers.set('ETag', weakTag(`${MARKDOWN_MEDIA_TYPE}\n${withoutMoments(html)}`));
    if (canonical !== null) headers.set('Link', `<${canonical}>; rel="canonical"`);
  }
  return new Response(text, { status, headers });
}

import type { APIContext } from 'astro';
import { CONTENT_SIGNAL } from '#core/contract/crawlers.ts';
import { groupLinks } from '#core/contract/openapi/guide-pages.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { MCP_PATH } from '#core/domain/account/oauth.ts';
import { llmsSections, llmsTxt } from '#server/feeds/llms-txt.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';
import { readBoardNow } from '#server/board/board-now.ts';
import { docsSections } from '../components/docs/docs-pages.ts';
import {
  boardLinks,
  documentLinks,
  llmsFacts,
  metricLinks,
} from '../components/text/llms-words.ts';
import { enrollCommands } from '../components/text/commands.ts';

/** The entity tag ignores the day, which changes even if nothing else does. */
const content = (text: string, { locals: { ctx } }: APIContext) =>
  text.replaceAll(readBoardNow(ctx).day, '');

const textOf = async ({ locals: { ctx } }: APIContext) => {
  const { baseUrl, site } = ctx.config;
  const { tools, ...board } = readBoardNow(ctx);
  const enroll = enrollCommands(ctx.release, 'CODE').join(' ');
  const facts = llmsFacts({
    baseUrl,
    signals: CONTENT_SIGNAL,
    enroll,
    mcpPath: MCP_PATH,
    board,
  });
  const sections = llmsSections(ROUTE_TABLE, {
    '/leaderboard/{window}/{metric}': boardLinks(tools),
    '/metrics/{metric}': metricLinks(),
    '/developers/{group}': groupLinks(),
    '/docs/{section}': documentLinks(await docsSections()),
  });
  return llmsTxt({ title: site.name, summary: site.description, facts, sections }, baseUrl);
};

export const GET = textEndpoint('text/plain', textOf, content);

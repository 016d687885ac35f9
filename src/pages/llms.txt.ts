import type { APIContext } from 'astro';
import { CONTENT_SIGNAL } from '#core/contract/crawlers.ts';
import { getOpenApi } from '#core/contract/interface.ts';
import { getLeaderboard } from '#core/contract/leaderboard.ts';
import { getAiCatalog, getServerCard } from '#core/contract/mcp/manifests.ts';
import { ATOM_PATH, SATELLITE_PATH, SITEMAP_PATH } from '#core/domain/text/file-paths.ts';
import { MCP_PATH } from '#core/domain/account/oauth.ts';
import { PUBLIC_LOG_PATH } from '#core/schema/public-log.ts';
import { llmsTxt } from '#server/feeds/llms-txt.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';
import { readBoardNow } from '#server/board/board-now.ts';
import { llmsFacts, llmsSections } from '../components/text/llms-words.ts';
import { enrollCommands } from '../components/text/commands.ts';

const PATHS = {
  aiCatalog: getAiCatalog.path,
  feed: ATOM_PATH,
  log: PUBLIC_LOG_PATH,
  openApi: getOpenApi.path,
  satellite: SATELLITE_PATH,
  serverCard: getServerCard.path,
  sitemap: SITEMAP_PATH,
};

/** The day moves on also where nothing else does. */
const content = (text: string, { locals: { ctx } }: APIContext) =>
  text.replaceAll(readBoardNow(ctx).day, '');

const textOf = ({ locals: { ctx } }: APIContext) => {
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
  const sections = llmsSections({ tools, paths: PATHS, leaderboard: getLeaderboard.path });
  return llmsTxt({ title: site.name, summary: site.description, facts, sections }, baseUrl);
};

export const GET = textEndpoint('text/plain', textOf, { content });

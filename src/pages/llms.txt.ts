import type { APIRoute } from 'astro';
import { CONTENT_SIGNAL } from '#core/contract/crawlers.ts';
import { getOpenApi } from '#core/contract/interface.ts';
import { getLeaderboard } from '#core/contract/leaderboard.ts';
import { getAiCatalog, getServerCard } from '#core/contract/manifests.ts';
import { SATELLITE_PATH } from '#core/contract/satellite.ts';
import { MCP_PATH } from '#core/domain/oauth.ts';
import { PUBLIC_LOG_PATH } from '#core/schema/public-log.ts';
import { ATOM_PATH } from '#server/feeds/atom.ts';
import { llmsTxt } from '#server/feeds/llms-txt.ts';
import { problemResponse } from '#server/http/endpoint.ts';
import { readBoardNow } from '#server/queries/agent-guide.ts';
import { guideFacts, guideSections } from '../components/agent-guide.ts';
import { enrollCommands } from '../components/commands.ts';

/** How long a copy may be kept, in seconds. */
const KEPT_SECONDS = 300;

const PATHS = {
  aiCatalog: getAiCatalog.path,
  feed: ATOM_PATH,
  log: PUBLIC_LOG_PATH,
  openApi: getOpenApi.path,
  satellite: SATELLITE_PATH,
  serverCard: getServerCard.path,
};

export const GET: APIRoute = (context) => {
  const { ctx } = context.locals;
  const { baseUrl, site } = ctx.config;
  try {
    const { tools, ...board } = readBoardNow(ctx);
    const enroll = enrollCommands(ctx.release, 'CODE').join(' ');
    const facts = guideFacts({
      baseUrl,
      signals: CONTENT_SIGNAL,
      enroll,
      mcpPath: MCP_PATH,
      board,
    });
    const sections = guideSections({ tools, paths: PATHS, leaderboard: getLeaderboard.path });
    const text = llmsTxt({ title: site.name, summary: site.description, facts, sections }, baseUrl);
    const headers = {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': `public, max-age=${KEPT_SECONDS}`,
    };
    return new Response(text, { headers });
  } catch (error) {
    return problemResponse(error, context);
  }
};

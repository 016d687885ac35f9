import type { APIRoute } from 'astro';
import { robotsTxt } from '#core/contract/crawlers.ts';

export const GET: APIRoute = ({ locals }) => {
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
  };
  return new Response(robotsTxt(locals.ctx.config.baseUrl), { headers });
};

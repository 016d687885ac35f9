import type { APIRoute } from 'astro';

/** Any version but the one that is served. */
export const GET: APIRoute = ({ locals }) => {
  const { version, package: served } = locals.ctx.release;
  return new Response(`This board serves opbench ${version}: ${served.url}\n`, { status: 404 });
};

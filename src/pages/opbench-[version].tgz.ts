import type { APIRoute } from 'astro';

/** Every version except the served one. */
export const GET: APIRoute = ({ locals }) => {
  const { version, package: served } = locals.ctx.release;
  return new Response(`This board serves opbench ${version}: ${served.url}\n`, { status: 404 });
};

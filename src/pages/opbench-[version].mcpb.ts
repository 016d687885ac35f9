import type { APIRoute } from 'astro';
import { bundlePath } from '#core/schema/release.ts';

/** Every version except the served one. */
export const GET: APIRoute = ({ locals }) => {
  const { config, release } = locals.ctx;
  const served = config.baseUrl + bundlePath(release.version);
  return new Response(`This board serves opbench ${release.version}: ${served}\n`, { status: 404 });
};

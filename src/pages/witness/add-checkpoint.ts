import type { APIRoute } from 'astro';
import { problemResponse } from '#server/http/endpoint.ts';
import { cosignCheckpoint } from '#server/witness/cosign-checkpoint.ts';

export const POST: APIRoute = async (context) => {
  const { ctx } = context.locals;
  try {
    const { status, type, body } = await cosignCheckpoint(ctx, await context.request.text());
    const contentType = type === 'text/plain' ? `${type}; charset=utf-8` : type;
    const headers = { 'Content-Type': contentType, 'Cache-Control': 'no-store' };
    return new Response(body, { status, headers });
  } catch (error) {
    return problemResponse(error, context);
  }
};

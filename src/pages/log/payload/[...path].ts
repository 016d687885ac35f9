import type { APIRoute } from 'astro';
import { cacheControlAt } from '#server/http/response/cache-control.ts';
import { problemResponse } from '#server/http/endpoint.ts';
import { weakTag } from '#server/http/response/prepared-response.ts';
import { streamOf } from '#server/http/response/reply.ts';
import { payloadIndexes, payloadLines } from '#server/public-log/tiles.ts';

export const GET: APIRoute = (context) => {
  try {
    const { ctx } = context.locals;
    const number = context.params['path'] ?? '';
    // Before the lines, so that a change meanwhile makes the next request differ.
    const indexes = payloadIndexes(ctx, number);
    const lines = payloadLines(ctx, number);
    const headers = {
      ETag: weakTag(indexes.join()),
      'Content-Type': 'application/x-ndjson',
      'Cache-Control': cacheControlAt(context.url.pathname),
      // It is compressed while it is sent.
      Vary: 'Accept-Encoding',
    };
    return new Response(streamOf(lines), { headers });
  } catch (error) {
    return problemResponse(error, context);
  }
};

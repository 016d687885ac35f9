import type { APIContext, APIRoute } from 'astro';
import { cacheControlAt } from '#server/http/response/cache-control.ts';
import { problemResponse } from '#server/http/endpoint.ts';
import { operatorPicture, pictureTag } from '#server/http/response/social-picture.ts';
import { readOperatorCard } from '#server/board/badge.ts';
import { operatorCard } from '../../charts/operator-card.ts';
import { operatorCardOf } from '#components/operator/operator-card-words.ts';
import { GET as boardPicture } from '../open-graph.png.ts';

/** Everyone without a public page gets the board's own picture, so that it does not reveal who exists. */
export const GET: APIRoute = async (context) => {
  const facts = readOperatorCard(context.locals.ctx, context.params['codename'] ?? '');
  return facts === null ? boardPicture(context) : pictureOf(facts, context);
};

async function pictureOf(
  facts: NonNullable<ReturnType<typeof readOperatorCard>>,
  context: APIContext,
): Promise<Response> {
  const { ctx } = context.locals;
  const { baseUrl, site } = ctx.config;
  const card = operatorCardOf(facts, { name: site.name, baseUrl });
  const { svg } = operatorCard(card, site.colours.light);
  try {
    const png = await operatorPicture(ctx, svg);
    const headers = {
      ETag: pictureTag(svg),
      'Content-Type': 'image/png',
      'Cache-Control': cacheControlAt(context.url.pathname),
    };
    return new Response(new Uint8Array(png), { headers });
  } catch (error) {
    return problemResponse(error, context);
  }
}

import type { APIRoute } from 'astro';
import { cacheControlAt } from '#server/http/response/cache-control.ts';
import { problemResponse } from '#server/http/endpoint.ts';
import {
  operatorPicture,
  pictureTag,
  socialPicture,
} from '#server/http/response/social-picture.ts';
import { readOperatorCard, readSocialCard } from '#server/board/badge.ts';
import { operatorCard } from '../../charts/operator-card.ts';
import { socialCard } from '../../charts/social-card.ts';
import { cardOf } from '#components/board/social-card-words.ts';
import { operatorCardOf } from '#components/operator/operator-card-words.ts';

type Context = Parameters<APIRoute>[0]['locals']['ctx'];

/** Everyone without a public page gets the board's own picture, so that it does not reveal who exists. */
export const GET: APIRoute = async (context) => {
  const { ctx } = context.locals;
  try {
    const { png, tag } = await pictureOf(ctx, context.params['codename'] ?? '');
    const headers = {
      ETag: tag,
      'Content-Type': 'image/png',
      'Cache-Control': cacheControlAt(context.url.pathname),
    };
    return new Response(new Uint8Array(png), { headers });
  } catch (error) {
    return problemResponse(error, context);
  }
};

async function pictureOf(ctx: Context, codename: string) {
  const { baseUrl, site } = ctx.config;
  const at = { name: site.name, baseUrl };
  const { light } = site.colours;
  const facts = readOperatorCard(ctx, codename);
  if (facts === null) {
    const card = cardOf(readSocialCard(ctx), at);
    const png = await socialPicture(ctx, () => socialCard(card, light).svg);
    return { png, tag: pictureTag(socialCard({ ...card, day: '' }, light).svg) };
  }
  const { svg } = operatorCard(operatorCardOf(facts, at), light);
  return { png: await operatorPicture(ctx, svg), tag: pictureTag(svg) };
}

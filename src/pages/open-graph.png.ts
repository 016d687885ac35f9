import type { APIRoute } from 'astro';
import { cacheControlAt } from '#server/http/response/cache-control.ts';
import { problemResponse } from '#server/http/endpoint.ts';
import { pictureTag, socialPicture } from '#server/http/response/social-picture.ts';
import { readSocialCard } from '#server/board/badge.ts';
import { socialCard } from '../charts/social-card.ts';
import { cardOf } from '../components/board/social-card-words.ts';

export const GET: APIRoute = async (context) => {
  const { ctx } = context.locals;
  const { baseUrl, site } = ctx.config;
  try {
    const card = cardOf(readSocialCard(ctx), { name: site.name, baseUrl });
    const png = await socialPicture(ctx, () => socialCard(card, site.colours.light).svg);
    const headers = {
      // The day changes even if nothing else does.
      ETag: pictureTag(socialCard({ ...card, day: '' }, site.colours.light).svg),
      'Content-Type': 'image/png',
      'Cache-Control': cacheControlAt(context.url.pathname),
    };
    return new Response(new Uint8Array(png), { headers });
  } catch (error) {
    return problemResponse(error, context);
  }
};

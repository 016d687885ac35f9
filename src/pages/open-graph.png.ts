import type { APIRoute } from 'astro';
import { problemResponse } from '#server/http/endpoint.ts';
import { pictureTag, socialPicture } from '#server/http/response/social-picture.ts';
import { readSocialCard } from '#server/board/social-card.ts';
import { socialCard } from '../charts/social-card.ts';
import { cardOf } from '../components/board/social-card-words.ts';

/** How long a copy may be kept, in seconds. */
const KEPT_SECONDS = 300;

export const GET: APIRoute = async (context) => {
  const { ctx } = context.locals;
  const { baseUrl, site } = ctx.config;
  try {
    const card = cardOf(readSocialCard(ctx), { name: site.name, baseUrl });
    const png = await socialPicture(ctx, () => socialCard(card, site.colours.light).svg);
    const headers = {
      // Its day moves on also where nothing else does.
      ETag: pictureTag(socialCard({ ...card, day: '' }, site.colours.light).svg),
      'Content-Type': 'image/png',
      'Cache-Control': `public, max-age=${KEPT_SECONDS}`,
    };
    return new Response(new Uint8Array(png), { headers });
  } catch (error) {
    return problemResponse(error, context);
  }
};

import {
  pictureEndpoint,
  pictureTag,
  socialPicture,
} from '#server/http/response/social-picture.ts';
import { readSocialCard } from '#server/board/badge.ts';
import { socialCard } from '../charts/social-card.ts';
import { cardOf } from '../components/board/social-card-words.ts';

export const GET = pictureEndpoint(async ({ locals: { ctx } }) => {
  const { baseUrl, site } = ctx.config;
  const card = cardOf(readSocialCard(ctx), { name: site.name, baseUrl });
  const { light } = site.colours;
  const png = await socialPicture(ctx, () => socialCard(card, light).svg);
  // The day changes even if nothing else does.
  return { png, tag: pictureTag(socialCard({ ...card, day: '' }, light).svg) };
});

import { boardPicture, pictureEndpoint } from '#server/http/response/social-picture.ts';
import { readSocialCard } from '#server/board/badge.ts';
import { socialCard } from '../charts/social-card.ts';
import { cardOf } from '../components/board/social-card-words.ts';

export const GET = pictureEndpoint(({ locals: { ctx } }) => {
  const { baseUrl, site } = ctx.config;
  const card = cardOf(readSocialCard(ctx), { name: site.name, baseUrl });
  return boardPicture(ctx, card, (of) => socialCard(of, site.colours.light).svg);
});

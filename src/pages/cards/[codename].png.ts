import {
  boardPicture,
  operatorPicture,
  pictureEndpoint,
  pictureTag,
} from '#server/http/response/social-picture.ts';
import { readOperatorCard, readSocialCard } from '#server/board/badge.ts';
import { operatorCard } from '../../charts/operator-card.ts';
import { socialCard } from '../../charts/social-card.ts';
import { cardOf } from '#components/board/social-card-words.ts';
import { operatorCardOf } from '#components/operator/operator-card-words.ts';

export const GET = pictureEndpoint(async ({ locals: { ctx }, params }) => {
  const { baseUrl, site } = ctx.config;
  const at = { name: site.name, baseUrl };
  const { light } = site.colours;
  const facts = readOperatorCard(ctx, params['codename'] ?? '');
  if (facts === null) {
    // The board's own picture, so that it does not reveal who exists.
    const card = cardOf(readSocialCard(ctx), at);
    return boardPicture(ctx, card, (of) => socialCard(of, light).svg);
  }
  const { svg } = operatorCard(operatorCardOf(facts, at), light);
  return { png: await operatorPicture(ctx, svg), tag: pictureTag(svg) };
});

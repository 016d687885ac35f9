import {
  boardPicture,
  operatorPicture,
  pictureEndpoint,
  pictureTag,
} from '#server/http/response/social-picture.ts';
import { readSocialCard } from '#server/board/badge.ts';
import { findOperatorReview } from '#server/board/operator-review.ts';
import { currentName } from '#server/operator/codenames.ts';
import { socialCard } from '../../../charts/social-card.ts';
import { yearCard } from '../../../charts/year-card.ts';
import { cardOf } from '#components/board/social-card-words.ts';
import { yearCardOf } from '#components/operator/year-card-words.ts';

export const GET = pictureEndpoint(async ({ locals: { ctx }, params }) => {
  const { baseUrl, site } = ctx.config;
  const at = { name: site.name, baseUrl };
  const { light } = site.colours;
  const { codename = '', year = '' } = params;
  const { sheet } = await findOperatorReview(ctx, currentName(ctx, codename), year);
  const facts = sheet?.span.kind === 'year' ? yearCardOf(sheet, at) : null;
  if (facts === null) {
    // The board's own picture, so that it does not reveal who exists.
    const card = cardOf(readSocialCard(ctx), at);
    return boardPicture(ctx, card, (of) => socialCard(of, light).svg);
  }
  const { svg } = yearCard(facts, light);
  return { png: await operatorPicture(ctx, svg), tag: pictureTag(svg) };
});

import { cardOf } from '#components/board/social-card-words.ts';
import { readSocialCard } from '#server/board/badge.ts';
import type { AppContext } from '#server/context.ts';
import {
  operatorPicture,
  pictureTag,
  socialPicture,
} from '#server/http/response/social-picture.ts';
import { socialCard } from '../../charts/social-card.ts';

/** A picture for a link preview, with its ETag. */
export interface DrawnCard {
  png: Buffer;
  tag: string;
}

/** The board's own picture, for links to anyone or anything that is not public: it does not reveal who exists. */
export async function boardCard(ctx: AppContext): Promise<DrawnCard> {
  const { baseUrl, site } = ctx.config;
  const card = cardOf(readSocialCard(ctx), { name: site.name, baseUrl });
  const { light } = site.colours;
  const png = await socialPicture(ctx, () => socialCard(card, light).svg);
  return { png, tag: pictureTag(socialCard({ ...card, day: '' }, light).svg) };
}

/** A picture that is drawn once for as long as it shows the same. */
export async function drawnCard(ctx: AppContext, { svg }: { svg: string }): Promise<DrawnCard> {
  return { png: await operatorPicture(ctx, svg), tag: pictureTag(svg) };
}

/** The pictures that other sites show with a link. */
import { cardOf } from '#components/board/social-card-words.ts';
import { socialCard } from '../../charts/social-card.ts';
import { readSocialCard } from '../board/badge.ts';
import type { AppContext } from '../context.ts';
import { keptPicture, pictureTag, socialPicture } from '../http/response/social-picture.ts';

/** A picture with its ETag. */
interface DrawnCard {
  png: Buffer;
  tag: string;
}

/** The board's own picture, also for links to anyone or anything that is not public: it does not reveal who exists. */
export async function boardCard(ctx: AppContext): Promise<DrawnCard> {
  const { baseUrl, site } = ctx.config;
  const card = cardOf(readSocialCard(ctx), { name: site.name, baseUrl });
  const { light } = site.colours;
  const png = await socialPicture(ctx, () => socialCard(card, light).svg);
  // The day changes even if nothing else does.
  return { png, tag: pictureTag(socialCard({ ...card, day: '' }, light).svg) };
}

/** A picture of something on the board, drawn once for as long as it shows the same. */
export async function drawnCard(ctx: AppContext, { svg }: { svg: string }): Promise<DrawnCard> {
  return { png: await keptPicture(ctx, svg), tag: pictureTag(svg) };
}

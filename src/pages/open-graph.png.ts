import { boardCard } from '#server/cards/cards.ts';
import { pictureEndpoint } from '#server/http/response/social-picture.ts';

export const GET = pictureEndpoint(({ locals: { ctx } }) => boardCard(ctx));

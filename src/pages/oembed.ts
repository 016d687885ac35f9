import { DomainError } from '#core/domain/text/errors.ts';
import { readEmbeddable } from '#server/board/embeddable.ts';
import { textEndpoint } from '#server/http/text-endpoint.ts';
import { oembedOf } from '../components/text/oembed.ts';

export const GET = textEndpoint(
  'application/json',
  ({ locals: { ctx }, url: { searchParams } }) => {
    const { baseUrl, site } = ctx.config;
    if ((searchParams.get('format') ?? 'json') !== 'json') {
      throw new DomainError('query_invalid', 'format must be json. This board has no other format');
    }
    const room = {
      width: pixels(searchParams, 'maxwidth'),
      height: pixels(searchParams, 'maxheight'),
    };
    const page = readEmbeddable(ctx, searchParams.get('url'));
    const isFramed = site.embed.length > 0;
    return JSON.stringify(oembedOf(page, { name: site.name, baseUrl, isFramed }, room));
  },
);

function pixels(query: URLSearchParams, name: string): number {
  const text = query.get(name);
  if (text === null) return Infinity;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new DomainError('query_invalid', `${name} must be a whole number of pixels, at least 1`);
}

import { getCorpus } from '#core/contract/corpus.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readCorpus } from '#server/board/corpus.ts';

export const ALL = endpoint(
  bind(getCorpus, ({ ctx, query }) => ({ pieces: readCorpus(ctx, query) })),
);

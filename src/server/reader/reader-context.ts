import type { Config } from '../config/config.ts';
import { type AppContext, type Publications, contextOf } from '../context.ts';
import { toBase64Url } from '#core/domain/text/base64.ts';
import type { Release } from '#core/schema/release.ts';
import type { Store } from '#db/store.ts';
import { FactsError } from '../facts/facts-error.ts';
import type { BoardKey } from '../identity/board-key.ts';
import type { Logger } from '../process/logger.ts';
import { activeRuleset } from '../process/rulesets.ts';

interface ReaderContextOptions {
  config: Config & { baseUrl: string };
  store: Store;
  publications: Pick<Publications, 'byId' | 'current'>;
  release: Release;
  logger: Logger;
  now: () => Date;
}

/** The context of pages on a machine without the database. It can only read. */
export function readerContext({
  publications,
  logger,
  ...options
}: ReaderContextOptions): AppContext {
  const { store, config } = options;
  const context = contextOf({
    ...options,
    logger: withoutMissingFacts(logger),
    boardKey: keyWithoutSecret(store),
    ruleset: activeRuleset(store, config.eligibility),
  });
  const publishNow = () => Promise.reject(new Error('A reader publishes nothing'));
  return { ...context, publications: { ...publications, publishNow } };
}

function keyWithoutSecret(store: Store): BoardKey {
  const [newest] = store.boardKeys.all();
  return {
    keyid: newest?.keyid ?? '',
    public_key: newest ? toBase64Url(newest.public_key) : '',
    seal: () => {
      throw new Error('A reader signs nothing');
    },
  };
}

/** Work that needs facts that are not loaded fails, and is repeated when they are. */
function withoutMissingFacts(logger: Logger): Logger {
  return {
    ...logger,
    error: (event, error, fields) => {
      if (!(error instanceof FactsError)) logger.error(event, error, fields);
    },
  };
}

import type { Store } from '#db/store.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { type RateLimiter, networkOf } from '#server/process/rate-limit.ts';
import type { Config } from '#server/config/config.ts';
import { createEmbeddedProvider } from './embedded-provider.ts';
import { createExternalProvider } from './external-provider.ts';
import type { Provider } from './provider.ts';
import type { SessionStore } from '../sessions.ts';
import type { Logger } from '#server/process/logger.ts';
import { operatorHere } from '#server/operator/operator.ts';
import { logFailure, storageFaultOf } from '#server/process/storage-fault.ts';

interface ProviderOptions {
  config: Config & { baseUrl: string };
  store: Store;
  sessions: SessionStore;
  limiter: RateLimiter;
  logger: Logger;
  now: () => Date;
}

/** The provider that operators sign in with: the board's own, unless the admin configured another. */
export function createProvider({ config, store, sessions, ...rest }: ProviderOptions): Provider {
  const { limiter, logger, now } = rest;
  const { baseUrl, signIn, agents, site } = config;
  const onError = (error: unknown) => logFailure(logger, 'provider_failed', error);
  if (signIn.authority) {
    return createExternalProvider({ ...signIn.authority, baseUrl, now, onError });
  }
  return createEmbeddedProvider({
    store,
    baseUrl,
    satellite: agents.satellite && {
      clientId: agents.satellite.clientId,
      redirectUri: agents.satellite.url,
      name: `${site.name} companion site`,
    },
    now,
    signedIn: async (cookieHeader) =>
      (await operatorHere({ sessions, store }, cookieHeader))?.public_id,
    mayFetch: (visitor) => limiter.count('register', networkOf(visitor)).refused === false,
    onError,
    isStorageFault: (error) => storageFaultOf(error) !== null,
  });
}

/** The error at the addresses of the board's own provider while the board uses an external one. */
export function signsInElsewhere({ issuer }: Pick<Provider, 'issuer'>): DomainError {
  return new DomainError(
    'not_found',
    `This board uses ${issuer} for sign-in. Send the request there`,
  );
}

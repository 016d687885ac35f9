import type OidcProvider from 'oidc-provider';
import { randomUUID } from 'node:crypto';
import type { Store } from '#db/store.ts';
import { epochSeconds } from '#core/domain/counting/day.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { isLoopbackUrl } from '#core/domain/account/oauth.ts';
import { readSignedCookie } from '../cookies.ts';
import { randomSecret, sha256Hex } from '#server/process/crypto.ts';
import type { Interaction, Interactions } from './provider.ts';
import { type AskedDetails, OWN_CLIENT } from './provider-settings.ts';
import type { AppContext } from '#server/context.ts';
import { type ConsentAnswer, readConsentRequest } from './consent-request.ts';

/** How long a finished sign-in can be redeemed at the provider, in seconds. */
const PROOF_TTL_S = 120;
/** An unknown time of a sign-in. The provider takes 0 for an absent one. */
export const LONG_AGO_MS = 1000;
const ANSWERED_BY_SESSION = ['no_session', 'board_session'];
const MAX_NAME = 60;

interface InteractionsOptions {
  store: Store;
  engine: () => Promise<OidcProvider>;
  cookieName: string;
  cookieKey: () => string;
  keptClient: string | null;
  now: () => Date;
}

type OidcInteraction = InstanceType<OidcProvider['Interaction']>;

export function createInteractions(options: InteractionsOptions): Interactions {
  const { store, engine, cookieName, cookieKey, keptClient } = options;
  const find = async (uid: string): Promise<OidcInteraction> => {
    const asked = await (await engine()).Interaction.find(uid);
    if (asked) return asked;
    throw new DomainError('interaction_expired', 'This sign-in has ended, or took too long');
  };
  const answer = async (
    asked: OidcInteraction,
    result: NonNullable<OidcInteraction['result']>,
  ): Promise<string> => {
    asked.result = 'error' in result ? result : { ...asked.lastSubmission, ...result };
    await asked.save(Math.max(1, asked.exp - epochSeconds(new Date())));
    return asked.returnTo;
  };

  return {
    async read(uid) {
      const asked = await (await engine()).Interaction.find(uid);
      return asked ? interactionOf(asked, keptClient) : null;
    },
    isOf: (uid, cookieHeader) => readSignedCookie(cookieHeader, cookieName, cookieKey()) === uid,
    async finishLogin(uid, operatorPublicId, signedInAt) {
      await find(uid);
      const proof = randomSecret();
      store.oidc.put({
        kind: 'LoginProof',
        id_hash: sha256Hex(proof),
        payload: JSON.stringify({
          account: operatorPublicId,
          interaction: sha256Hex(uid),
          signed_in_at: signedInAt.toISOString(),
        }),
        grant_hash: null,
        uid_hash: null,
        account: operatorPublicId,
        expires_at: epochSeconds(new Date()) + PROOF_TTL_S,
      });
      return `/login/interaction/${uid}?proof=${proof}`;
    },
    async redeem(uid, proof) {
      const { account: accountId, signedInAt } = takeProof(store, uid, proof);
      const asked = await find(uid);
      // Drop the session and grant of the account that was signed in before.
      if (asked.session?.accountId !== accountId) {
        delete asked.session;
        delete asked.grantId;
      }
      const login = { accountId, ts: epochSeconds(signedInAt) };
      return { location: await answer(asked, { login }), account: accountId, signedInAt };
    },
    async approve(uid) {
      const asked = await find(uid);
      if (asked.prompt.name !== 'consent') {
        throw new DomainError('interaction_expired', 'The operator must sign in first');
      }
      return answer(asked, { consent: { grantId: await grant(options, asked) } });
    },
    async deny(uid) {
      const error_description = 'The operator denied access';
      return answer(await find(uid), { error: 'access_denied', error_description });
    },
  };
}

function interactionOf(asked: OidcInteraction, keptClient: string | null): Interaction {
  const { uid, params, prompt } = asked;
  const { scope, resource } = params as { scope?: string; resource?: string | string[] };
  return {
    uid,
    prompt: prompt.name === 'consent' ? 'consent' : 'login',
    client: clientOf(asked, keptClient),
    scopes: scope?.split(' ') ?? [],
    resource: [resource ?? null].flat()[0] ?? null,
    mustAsk:
      prompt.name === 'login' &&
      !prompt.reasons.every((reason) => ANSWERED_BY_SESSION.includes(reason)),
    account: accountOf(asked),
  };
}

function accountOf({ lastSubmission, session }: OidcInteraction): string | null {
  return lastSubmission?.login?.accountId ?? session?.accountId ?? null;
}

/** The client as it was when the interaction began. Looking it up now could require fetching its metadata. */
function clientOf({ params, prompt }: OidcInteraction, keptClient: string | null) {
  const { client_id: id, redirect_uri: redirectUri } = params as Record<string, string>;
  const { client_name: given } = prompt.details as AskedDetails;
  const name = (given ?? '')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME);
  return {
    id: id ?? '',
    name: name === '' ? null : name,
    redirectHost: new URL(redirectUri ?? '').host,
    isOwn: id === OWN_CLIENT,
    isKept: id === keptClient,
    isLocal: isLoopbackUrl(redirectUri ?? ''),
  };
}

function takeProof(store: Store, uid: string, proof: string) {
  const id_hash = sha256Hex(proof);
  const held = store.oidc.find('LoginProof', id_hash, epochSeconds(new Date()));
  store.oidc.remove('LoginProof', id_hash);
  const stored = JSON.parse(held?.payload ?? '{}') as Record<string, string>;
  const { account, interaction, signed_in_at } = stored;
  if (account === undefined || interaction !== sha256Hex(uid)) {
    throw new DomainError(
      'interaction_expired',
      'This sign-in was already completed, or belongs to another request',
    );
  }
  // A proof of an earlier version does not have the time.
  return { account, signedInAt: new Date(signed_in_at ?? LONG_AGO_MS) };
}

async function grant(
  { store, engine, keptClient, now }: InteractionsOptions,
  asked: OidcInteraction,
): Promise<string> {
  const provider = await engine();
  const { scopes, client, account } = interactionOf(asked, keptClient);
  const operator = account === null ? undefined : store.operators.byPublicId(account);
  if (!operator || account === null) {
    throw new DomainError('interaction_expired', 'The account was deleted');
  }
  const { resource } = asked.params as { resource?: string | string[] };
  const known = asked.grantId ? await provider.Grant.find(asked.grantId) : undefined;
  const isKnown = known?.accountId === account && known.clientId === client.id;
  const given = isKnown ? known : new provider.Grant({ accountId: account, clientId: client.id });
  given.addOIDCScope(scopes.join(' '));
  [resource ?? []].flat().forEach((each) => given.addResourceScope(each, scopes.join(' ')));
  // The grant gets its full lifetime again.
  delete (given as { exp?: number }).exp;
  const id = await given.save();
  store.applications.put({
    id: randomUUID(),
    grant_hash: sha256Hex(id),
    operator_id: operator.id,
    name: client.name,
    redirect_host: client.redirectHost,
    created_at: now().toISOString(),
  });
  return id;
}

/** An interaction with the codename of the operator who is asked. */
interface Question extends Interaction {
  /** Null before a sign-in. */
  codename: string | null;
}

/**
 * The interaction of a browser.
 *
 * @throws {DomainError} `interaction_expired` if it has ended or belongs to another browser.
 */
export async function readQuestion(ctx: AppContext, answering: ConsentAnswer): Promise<Question> {
  const { interaction } = await readConsentRequest(ctx, answering);
  const operator = ctx.store.operators.byPublicId(interaction.account ?? '');
  return { ...interaction, codename: operator?.codename ?? null };
}

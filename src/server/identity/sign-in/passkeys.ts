/** What a board offers with passkeys, and how their credentials identify accounts. */
import type { PasskeyPolicy } from '#server/config/sign-in-config.ts';
import { passkeyDomain } from '#core/domain/account/passkey.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { PasskeyName } from '#core/schema/passkey.ts';
import type { AppContext } from '#server/context.ts';

interface PasskeyOffer {
  policy: Exclude<PasskeyPolicy, 'off'>;
  /** The domain of the passkeys; null if browsers do not allow passkeys at the board's address. */
  domain: string | null;
}

/** What the board offers; null if passkeys are switched off or another provider signs people in. */
export function readPasskeyOffer({ config }: Pick<AppContext, 'config'>): PasskeyOffer | null {
  const { passkeys, authority } = config.signIn;
  if (authority || passkeys === 'off') return null;
  return { policy: passkeys, domain: passkeyDomain(config.baseUrl) };
}

/**
 * The offer of a board on which passkeys work.
 *
 * @throws {DomainError} `not_found` if they do not.
 */
export function requirePasskeys(ctx: AppContext): PasskeyOffer & { domain: string } {
  const offer = readPasskeyOffer(ctx);
  if (offer?.domain) return { ...offer, domain: offer.domain };
  throw new DomainError('not_found', 'This board does not offer sign-in with passkeys');
}

/** What authenticators store for an account, in place of a name: the bytes of its public ID. */
export function userHandleOf(publicId: string): Buffer<ArrayBuffer> {
  return Buffer.from(publicId.replaceAll('-', ''), 'hex');
}

/**
 * What password managers may learn about the passkeys of an account: those that still work, and its codename. Null if
 * passkeys do not work here.
 */
export function readAcceptedPasskeys(ctx: AppContext, operator_id: number) {
  const domain = readPasskeyOffer(ctx)?.domain;
  const operator = ctx.store.operators.byId(operator_id);
  if (!domain || !operator) return null;
  return {
    rpId: domain,
    userId: userHandleOf(operator.public_id).toString('base64url'),
    name: operator.codename,
    ids: ctx.store.passkeys
      .ofOperator(operator_id)
      .map(({ credential_id }) => Buffer.from(credential_id).toString('base64url')),
  };
}

/** Renames a passkey. */
export function renamePasskey(
  { store }: AppContext,
  operator_id: number,
  { id, name }: { id: string; name: string },
): void {
  const label = parseAs(PasskeyName, name, 'The name');
  if (store.identities.renamePasskey({ id, operator_id, label })) return;
  throw new DomainError('not_found', 'Your account does not have this passkey');
}

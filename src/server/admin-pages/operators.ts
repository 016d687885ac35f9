/** Accounts as admins and moderators see them. */
import type { Operator } from '#db/operators.ts';
import { METHOD_NAMES } from '#core/domain/account/sign-in-method.ts';
import type { AppContext } from '../context.ts';

/** How many accounts a page lists. */
const PAGE = 50;

interface OperatorSearch {
  /** A part of the codename, the alias or the display name; empty for all. */
  text: string;
  /** The last codename of the page before; empty for the first page. */
  after: string;
}

export function searchOperators({ store }: AppContext, { text, after }: OperatorSearch) {
  const found = store.operators.search(text.trim().toLowerCase(), after, PAGE + 1);
  const operators = found.slice(0, PAGE);
  const isLast = found.length <= PAGE;
  return { operators, total: store.operators.total(), next: isLast ? null : operators.at(-1) };
}

export const VISIBILITY_WORDS: Readonly<Record<Operator['privacy_mode'], string>> = {
  identified: 'Public, with display name',
  pseudonymous: 'Public, under the codename',
  anonymous: 'Anonymous',
  private: 'Private',
};

/** An account with everything that the page about it shows; null if there is none. */
export function readAccount({ store, now }: AppContext, codename: string) {
  const operator = store.operators.byCodename(codename);
  if (!operator) return null;
  const time = now().toISOString();
  const sessions = store.sessions.ofOperator(operator.id);
  const methods = store.identities.ofOperator(operator.id);
  return {
    ...operator,
    sessions: sessions.filter(({ expires_at }) => expires_at > time).length,
    methods: methods.map(({ method }) => METHOD_NAMES[method]),
    devices: store.accountData.devices(operator.id).filter(({ trust }) => trust === 'signed')
      .length,
  };
}

import type { AccountDeleted } from '#core/contract/account.ts';
import type { AppContext } from '../context.ts';

const CACHES = 'Caches of pages follow within a minute.';

/** When other machines stop showing what was hidden, after the change itself. Null without an object store. */
export function elsewhereText({ objectStore }: Pick<AppContext, 'objectStore'>): string | null {
  if (!objectStore) return null;
  if (objectStore.status.isReachable) {
    return `Other machines that show this board follow within two seconds. ${CACHES}`;
  }
  return `The object store cannot be reached. Other machines that show this board stop showing it within 30 seconds. ${CACHES}`;
}

/** The same as a member of an answer of the API; none without an object store. */
export function elsewhereMember({
  objectStore,
}: Pick<AppContext, 'objectStore'>): Pick<AccountDeleted, 'other_machines'> {
  if (!objectStore) return {};
  const { isReachable } = objectStore.status;
  return { other_machines: isReachable ? 'within_2_seconds' : 'within_30_seconds' };
}

/** The same for a command, which does not know the state of the server. */
export const ELSEWHERE_WORDS = `Other machines that show this board follow within two seconds, or within 30 seconds if the object store cannot be reached. ${CACHES}`;

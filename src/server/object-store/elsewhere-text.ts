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

/** The same for a command, which does not know the state of the server. */
export const ELSEWHERE_WORDS = `Other machines that show this board follow within two seconds, or within 30 seconds if the object store cannot be reached. ${CACHES}`;

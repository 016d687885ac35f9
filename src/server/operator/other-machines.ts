import type { OtherMachines } from '#core/contract/other-machines.ts';
import type { AppContext } from '../context.ts';

/**
 * When other machines stop showing what a change hid, as a member of the answer. Call it after the change was published.
 *
 * @param hides Whether the change hid anything.
 */
export function otherMachines(
  { objectStore }: Pick<AppContext, 'objectStore'>,
  hides: boolean,
): OtherMachines {
  if (!hides || !objectStore) return {};
  const { isReachable } = objectStore.status;
  return { other_machines: isReachable ? 'within_2_seconds' : 'within_30_seconds' };
}

/** How fast other machines that serve a board follow a change that hides something. */
import * as z from 'zod';

const Within = z.enum(['within_2_seconds', 'within_30_seconds']);

/** The member of an answer about a change. Without other machines, or if it hides nothing, it is absent. */
export interface OtherMachines {
  other_machines?: z.infer<typeof Within>;
}

/** What changes of a profile or of its visibility hide. */
export const CHANGED =
  'what the change hides; absent if it hides nothing, or if the board has none';

/** @param hidden What the change hides. */
export function otherMachinesMember(hidden: string) {
  return {
    other_machines: Within.optional().describe(
      `When other machines that serve the board stop showing ${hidden}. Caches of pages follow within a minute.`,
    ),
  };
}

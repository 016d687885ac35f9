/** Accounts that a published log does not show any more, although a backup of the board does. */
import type { SeenAccount } from '#db/accounts-in.ts';
import type { DatabaseInspection } from '#db/engine/inspection.ts';
import type { LogLeaf } from '#db/log.ts';
import type { LogPlace } from './log-place.ts';
import { type PublishedPayloads, bundleOf } from './published-payloads.ts';

/** Kinds of entries that can make an account less visible. */
const HIDING: readonly string[] = ['hide', 'visibility'];

interface Later {
  /** The entries after the backup. */
  leaves: readonly LogLeaf[];
  payloads: PublishedPayloads;
}

/**
 * Finds accounts whose payloads a copy of the log withholds now. The entry that says why is withheld too, so they become
 * private and opt out of the log, and are hidden by the admin if any account was hidden since. They or the admin can
 * undo that.
 */
export async function withheldIn(
  place: LogPlace,
  backup: DatabaseInspection,
  { leaves, payloads }: Later,
): Promise<SeenAccount[]> {
  const hiding = leaves.filter((leaf) => HIDING.includes(leaf.kind) && !payloads.of(leaf));
  if (hiding.length === 0) return [];
  const shown = backup.lastShown();
  const tail = new Set(leaves.map(({ index }) => bundleOf(index)));
  const others = new Set(shown.map(({ log_index }) => bundleOf(log_index)));
  await payloads.bring(place, others.difference(tail));
  const hidden_at = hiding.find(({ kind }) => kind === 'hide')?.received_at ?? null;
  const hidden_reason =
    hidden_at === null ? null : 'Was not shown any more before the board was restored';
  return shown
    .filter(({ log_index }) => payloads.isWithheld(log_index))
    .map(({ public_id }) => {
      return { public_id, privacy_mode: 'private', data_opt_out: 1, hidden_at, hidden_reason };
    });
}

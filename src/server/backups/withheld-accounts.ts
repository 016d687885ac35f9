/** Accounts that a published log does not show any more, although a backup of the board does. */
import type { SeenAccount } from '#db/accounts-in.ts';
import type { DatabaseInspection } from '#db/engine/inspection.ts';
import type { LogLeaf } from '#db/log.ts';
import type { LogSource } from './log-source.ts';
import { type PublishedPayloads, bundleOf } from './published-payloads.ts';

/** Kinds of entries that can make an account less visible. */
const HIDING: readonly string[] = ['hide', 'visibility'];

const REASON = 'Was not shown any more before the board was restored';

interface Later {
  /** The entries after the backup. */
  leaves: readonly LogLeaf[];
  payloads: PublishedPayloads;
}

/**
 * Finds accounts that the published log, or what readers show, has without their contents now. The entry that says why
 * is withheld too. So they become private and opt out of the log, and are hidden by the admin if any account was hidden
 * since. They or the admin can undo that.
 */
export async function withheldIn(
  source: LogSource,
  backup: DatabaseInspection,
  later: Later,
): Promise<SeenAccount[]> {
  const hiding = later.leaves.filter((leaf) => {
    return HIDING.includes(leaf.kind) && !later.payloads.of(leaf);
  });
  const hidden_at = hiding.find(({ kind }) => kind === 'hide')?.received_at ?? null;
  const hidden_reason = hidden_at === null ? null : REASON;
  const open = await source.openOperators?.();
  const gone = open ? backup.openUntil(open.log_index).filter(({ id }) => !open.has(id)) : [];
  const withheld = hiding.length === 0 ? [] : await withheldPayloads(source, backup, later);
  const found = new Set([...gone, ...withheld].map(({ public_id }) => public_id));
  return [...found].map((public_id) => {
    return { public_id, privacy_mode: 'private', data_opt_out: 1, hidden_at, hidden_reason };
  });
}

/** Accounts whose last entry in the backup has no contents in the log, although others have. */
async function withheldPayloads(
  source: LogSource,
  backup: DatabaseInspection,
  { leaves, payloads }: Later,
) {
  const shown = backup.lastShown();
  const tail = new Set(leaves.map(({ index }) => bundleOf(index)));
  const others = new Set(shown.map(({ log_index }) => bundleOf(log_index)));
  await payloads.bring(source, others.difference(tail));
  return shown.filter(({ log_index }) => payloads.isWithheld(log_index));
}

/** The implementation that is compared with the reference. Only this file knows how it publishes. */
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import type { Store } from '#db/store.ts';
import { compacted } from '#server/publication/project/compact.ts';
import { SpotCheck } from '#server/publication/project/spot-check.ts';
import { Projection } from '#server/publication/projection.ts';
import { publish } from '#server/publication/publish.ts';
import { earlierRanksIn } from '#server/publication/read/earlier-ranks.ts';
import { type Publication, publicationOf } from '#server/publication/read/publication.ts';
import type { PublicationData } from '#server/publication/state/board-state.ts';
import {
  type ReadPublication,
  readPublications,
  type StoredTip,
  storePublication,
} from '#server/publication/stored/stored-publications.ts';

const REFRESH_MS = 300_000;

/** What the publishing thread keeps between publications. */
export interface PublishingState {
  ruleset: Ruleset;
  projection: Projection | null;
  last: PublicationData | null;
  tip: StoredTip | null;
  /** How often it has published. */
  turns: number;
}

/** A thread that has published nothing yet, as after a restart. */
export function aStart(ruleset: Ruleset): PublishingState {
  return { ruleset, projection: null, last: null, tip: null, turns: 0 };
}

/**
 * Publishes incrementally, and stores the publication. Sometimes continues in another thread first, after a restart,
 * or in new memory as after something was hidden.
 */
export function publishOnce(store: Store, state: PublishingState, nowMs: number): Publication {
  const known = state.projection?.projected ?? null;
  state.turns += 1;
  if (state.turns % 5 === 0 && known) {
    state.projection = new Projection(state.ruleset, compacted(known));
  } else if (state.turns % 7 === 0) {
    const { data, projected, tip } = newestOf(store);
    Object.assign(state, { projection: new Projection(state.ruleset, projected), last: data, tip });
  } else if (state.turns % 3 === 0) {
    state.projection = new Projection(state.ruleset, structuredClone(known));
  }
  state.projection ??= new Projection(state.ruleset);
  state.last = publish(store, state.projection, nowMs, { last: state.last });
  const { projected } = state.projection;
  if (projected) state.tip = storePublication(store, state.last.head.id, projected, state.tip);
  return publicationIn(store, state.last);
}

/** The IDs of all operators whose data in memory differs from the database. */
export function differingFrom(store: Store, { projection }: PublishingState): number[] {
  const projected = projection?.projected;
  if (!projected) return [];
  const slots = Array.from(projected.state.operators.ids.keys());
  return new SpotCheck(store, projected, slots).run(Number.POSITIVE_INFINITY);
}

/** The newest stored publication, as a restarted server reads it. */
export function lastStored(store: Store): Publication {
  return publicationIn(store, newestOf(store).data);
}

function newestOf(store: Store): ReadPublication {
  const last = readPublications(store).at(-1);
  if (!last) throw new Error('Nothing is stored');
  return last;
}

function publicationIn(store: Store, data: PublicationData): Publication {
  const earlier = (as_of: string) => earlierRanksIn(store, as_of);
  return publicationOf(data, { refreshMs: REFRESH_MS, earlier });
}

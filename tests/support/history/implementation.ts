/** The implementation that is compared with the reference. Only this file knows how it publishes. */
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import type { Store } from '#db/store.ts';
import { Projection } from '#server/publication/projection.ts';
import { publish } from '#server/publication/publish.ts';
import { type Publication, publicationOf } from '#server/publication/read/publication.ts';
import { readPublication } from '#server/publication/read/stored.ts';

const REFRESH_MS = 300_000;

/** What the publishing thread keeps between publications. */
export interface PublishingState {
  ruleset: Ruleset;
  projection: Projection | null;
}

/** A thread that has published nothing yet, as after a restart. */
export function aStart(ruleset: Ruleset): PublishingState {
  return { ruleset, projection: null };
}

/** Publishes incrementally, and stores the publication. */
export function publishOnce(store: Store, state: PublishingState, nowMs: number): Publication {
  state.projection ??= new Projection(state.ruleset);
  return publicationOf(publish(store, state.projection, nowMs), REFRESH_MS);
}

/** The newest stored publication, as a restarted server reads it. */
export function lastStored(store: Store): Publication {
  const [head] = store.publications.kept();
  if (!head) throw new Error('Nothing is stored');
  return publicationOf(readPublication(store, head), REFRESH_MS);
}

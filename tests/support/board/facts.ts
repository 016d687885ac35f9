/** Facts of a board in memory, and a working copy that reads them. */
import { Announcements } from '#server/announcement/announcements.ts';
import type { AppContext } from '#server/context.ts';
import { type FactsIndex, keysOf } from '#server/facts/facts-index.ts';
import type { FactsInput, FactsPlan } from '#server/facts/plan-facts.ts';
import { exportFacts } from '#server/facts/plan-facts.ts';
import { WorkingCopy } from '#server/facts/working-copy.ts';
import { BoardCalibration } from '#server/public-log/board-calibration.ts';
import { earlierRanksIn } from '#server/publication/read/earlier-ranks.ts';
import { publicationOf } from '#server/publication/read/publication.ts';
import type { PublicationData } from '#server/publication/state/board-state.ts';
import { whenOver } from './cleanup.ts';
import { MIGRATIONS } from './context.ts';

type Ctx = Pick<AppContext, 'now' | 'store'>;

/** The objects of a board, of which the last index names some. */
export class FactsFolder {
  readonly objects = new Map<string, Uint8Array>();
  index: FactsIndex | null = null;
  /** The keys that were put last. */
  put: string[] = [];
  /** The keys that were read. */
  read: string[] = [];

  async export({ store }: Ctx, over: Partial<FactsInput> = {}): Promise<FactsPlan> {
    this.put = [];
    const input = { store, before: this.index, settings: { name: 'A board' }, files: [], ...over };
    const plan = await exportFacts(input, async ({ key, bytes }) => {
      this.put.push(key);
      this.objects.set(key, bytes);
    });
    for (const key of plan.obsolete) this.objects.delete(key);
    this.index = plan.index;
    return plan;
  }

  /** The bytes that the index names, by key. */
  named(): Map<string, string | undefined> {
    const keys = this.index ? [...keysOf(this.index)].sort() : [];
    return new Map(keys.map((key) => [key, hexOf(this.objects.get(key))]));
  }

  /** A copy that is closed after the test. */
  copy({ now }: Ctx, mostBytes?: number): WorkingCopy {
    const get = async (key: string) => {
      this.read.push(key);
      return this.objects.get(key) ?? null;
    };
    const copy = new WorkingCopy({
      migrations: MIGRATIONS,
      now,
      get,
      ...(mostBytes !== undefined && { mostBytes }),
    });
    whenOver(() => copy.close());
    return copy;
  }
}

/** What pages of a reader see: the working copy, and a publication that was read from elsewhere. */
export function readerContext<Ctx extends AppContext>(
  ctx: Ctx,
  { store }: Pick<WorkingCopy, 'store'>,
  data: PublicationData,
): Ctx {
  const earlier = (as_of: string) => earlierRanksIn(store, as_of);
  const publication = publicationOf(data, { refreshMs: ctx.config.refreshMs, earlier });
  const publications = { ...ctx.publications, current: () => publication, byId: () => publication };
  const { now } = ctx;
  return {
    ...ctx,
    store,
    publications,
    announcements: new Announcements({ store, now }),
    calibration: new BoardCalibration(store),
  };
}

function hexOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString('hex');
}

/** The files that pages name by a hash of their content. Readers of the versions before and after serve both. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isCompressed, mediaTypeOf } from '../http/response/assets.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import { ASSETS } from './keys.ts';
import type { ObjectStore } from './object-store.ts';
import type { Transfers } from './transfers.ts';

/**
 * Writes those of this version that are missing.
 *
 * @param folder The folder `_astro` of the build.
 */
export async function uploadAssets(
  folder: string,
  { store, transfers }: { store: Pick<ObjectStore, 'list'>; transfers: Transfers },
): Promise<void> {
  const prefix = `${ASSETS}_astro/`;
  const stored = new Set(await store.list(prefix));
  const names = readdirSync(folder).filter((name) => !isCompressed(name));
  for (const name of names.filter((name) => !stored.has(prefix + name))) {
    const contentType = mediaTypeOf(name);
    const cacheControl = 'public, max-age=31536000, immutable';
    const bytes = readFileSync(join(folder, name));
    await transfers.put(prefix + name, bytes, { contentType, cacheControl });
    await yieldToEventLoop();
  }
  await transfers.settled();
}

/** Puts a copy of a published log into an object store. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ObjectStore } from '#server/object-store/object-store.ts';

/** @param folder A copy with the paths of the standard. */
export async function putLog(store: Pick<ObjectStore, 'put'>, folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files) await store.put(`log/${relative(folder, file)}`, readFileSync(file));
}

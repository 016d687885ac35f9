import { randomUUID } from 'node:crypto';
import { type ObjectStore, ObjectStoreError } from './object-store.ts';

const WRONG_ETAG = '"00000000000000000000000000000000"';

/** Whether a store obeys the conditions of writes. Some ignore or refuse them. */
export async function hasConditionalWrites(
  store: Pick<ObjectStore, 'delete' | 'put'>,
): Promise<boolean> {
  const key = `probe-${randomUUID()}`;
  await store.put(key, Buffer.from('probe'));
  try {
    await store.put(key, Buffer.from('replaced'), { ifMatch: WRONG_ETAG });
    return false;
  } catch (error) {
    if (error instanceof ObjectStoreError && error.fault === 'changed') return true;
    if (error instanceof ObjectStoreError && error.fault === 'refused') return false;
    throw error;
  } finally {
    await store.delete([key]);
  }
}

import { expect, test } from 'vitest';
import { ObjectStoreError } from '#server/object-store/object-store.ts';
import { UploadStatus } from '#server/object-store/upload-status.ts';

test('a failure is logged when it begins, every ten minutes while it lasts, and when it ends', () => {
  const events: string[] = [];
  const note = (event: string) => void events.push(event);
  let nowMs = 0;
  const status = new UploadStatus({ info: note, warn: note, error: note }, () => nowMs);
  const failed = new ObjectStoreError('unreachable', 'The object store did not answer in time.');
  for (; nowMs <= 1_200_000; nowMs += 4_000) status.note('look', failed);
  expect(events).toEqual(Array(3).fill('object_store_failed'));
  status.note('look', null);
  expect(events.slice(3)).toEqual(['object_store_recovered']);
});

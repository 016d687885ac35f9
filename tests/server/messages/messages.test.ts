import { expect, test } from 'vitest';
import { closeMessage } from '#server/messages/close-message.ts';
import { listMessages } from '#server/messages/messages.ts';
import { testContext } from '#tests/support/board/context.ts';
import { aMessage } from '#tests/support/board/messages.ts';

const HOUR_MS = 60 * 60_000;

test('listMessages() lists open messages from the oldest, then done ones from the newest, in pages', () => {
  const ctx = testContext();
  const ids = ['ada', 'bob', 'cleo', 'dan', 'eve'].map((name) => {
    ctx.clock.nowMs += HOUR_MS;
    return aMessage(ctx, name);
  });
  for (const at of [1, 2]) closeMessage(ctx, ids[at] ?? '');
  const list = (onlyOpen: boolean, limit: number, offset: number) => {
    const { messages, hasNext } = listMessages(ctx, { onlyOpen, limit, offset });
    return [messages.map(({ codename }) => codename).join(' '), hasNext];
  };

  expect(list(false, 9, 0)).toEqual(['ada dan eve cleo bob', false]);
  expect(list(false, 4, 0)).toEqual(['ada dan eve cleo', true]);
  expect(list(false, 4, 4)).toEqual(['bob', false]);
  expect(list(true, 3, 0)).toEqual(['ada dan eve', false]);
  expect(ctx.store.contactMessages.openCount()).toBe(3);
});

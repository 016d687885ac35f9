/** The public conformance suite, at the board and at a process that has all that the suite wants to meet. */
import { expect, test } from 'vitest';
import { REVISIONS, conform, startFixture } from '../support/mcp-conformance.ts';
import { startServer } from '../support/server.ts';

test.each(REVISIONS)('the transport and gate pass all of %s', async (revision) => {
  const board = await conform((await startServer()).url, 'board', revision);
  const fixture = await conform(await startFixture(), 'fixture', revision);

  expect(board.status, board.summary).toBe(0);
  expect(fixture.status, fixture.summary).toBe(0);
});

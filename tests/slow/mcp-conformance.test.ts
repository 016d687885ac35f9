/**
 * The public conformance suite against a process with everything that the suite expects, behind the board's HTTP layer,
 * gate and transport.
 */
import { expect, test } from 'vitest';
import { REVISIONS, conform, startFixture } from '../support/mcp/mcp-conformance.ts';

test.each(REVISIONS)('a server that responds like the board passes all of %s', async (revision) => {
  const { status, summary } = await conform(await startFixture('board'), 'fixture', revision);

  expect(summary).toContain('tools-call-simple-text: ');
  expect(status, summary).toBe(0);
});

test('tools of 2025-11-25 that report progress are sent as streams', async () => {
  const { status, summary } = await conform(await startFixture('streams'), 'streams', '2025-11-25');

  expect(summary).toContain('tools-call-with-progress: ');
  expect(status, summary).toBe(0);
});

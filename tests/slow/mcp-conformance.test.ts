/** The public conformance suite at a process that has all that the suite wants to meet, behind the board's front, gate and transport. */
import { expect, test } from 'vitest';
import { REVISIONS, conform, startFixture } from '../support/mcp/mcp-conformance.ts';

test.each(REVISIONS)('what answers as the board does passes all of %s', async (revision) => {
  const { status, summary } = await conform(await startFixture('board'), 'fixture', revision);

  expect(summary).toContain('tools-call-simple-text: ');
  expect(status, summary).toBe(0);
});

test('tools of 2025-11-25 that tell something on their way are passed by streams', async () => {
  const { status, summary } = await conform(await startFixture('streams'), 'streams', '2025-11-25');

  expect(summary).toContain('tools-call-with-progress: ');
  expect(status, summary).toBe(0);
});

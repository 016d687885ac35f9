/** The built server at the public conformance suite; the suite's own tools are met in the slow tests. */
import { expect, test } from 'vitest';
import { REVISIONS, conform } from '#tests/support/mcp/mcp-conformance.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

test.each(REVISIONS)('the board passes all of %s that it has tools for', async (revision) => {
  const { url } = await plainBoard();

  const { status, summary } = await conform(url, 'board', revision);

  expect(summary).toContain('tools-list: ');
  expect(status, summary).toBe(0);
});

/** The built server at the public conformance suite; the suite's own tools are met in the slow tests. */
import { expect, test } from 'vitest';
import { REVISIONS, conform } from '../support/mcp/mcp-conformance.ts';
import { startServer } from '../support/http/server.ts';

test.each(REVISIONS)('the board passes all of %s that it has tools for', async (revision) => {
  const { url } = await startServer();

  const { status, summary } = await conform(url, 'board', revision);

  expect(summary).toContain('tools-list: ');
  expect(status, summary).toBe(0);
});

/** The built server in the public conformance suite. The slow tests cover the suite's own tools. */
import { expect, test } from 'vitest';
import { REVISIONS, conform } from '#tests/support/mcp/mcp-conformance.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

test.each(REVISIONS)(
  'the board passes all scenarios of %s that it has tools for',
  async (revision) => {
    const { url } = await plainBoard();

    const { status, summary } = await conform(url, 'board', revision);

    expect(summary).toContain('tools-list: ');
    expect(status, summary).toBe(0);
  },
);

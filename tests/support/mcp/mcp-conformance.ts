/** The public conformance suite of the Model Context Protocol. */
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { start } from '../http/process.ts';

const SUITE = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const FIXTURE = fileURLToPath(new URL('mcp-fixture/main.ts', import.meta.url));

/** The revisions that clients use. */
export const REVISIONS = ['2026-07-28', '2025-11-25'] as const;

/** Expected failures and their reasons. The suite fails if one of them passes. */
function expectedFailures(who: string, revision: string): string {
  const file = new URL(`../../fixtures/mcp/${who}-${revision}.yml`, import.meta.url);
  return fileURLToPath(file);
}

export interface Conformance {
  status: number | null;
  /** The summary of the suite: each scenario, and unexpected results. */
  summary: string;
}

/** Runs all scenarios that a revision requires of servers, with the transport of that revision. */
export async function conform(url: string, who: string, revision: string): Promise<Conformance> {
  const args = ['server', '--url', `${url}/api/mcp`, '--requirements', revision];
  const expected = ['--expected-failures', expectedFailures(who, revision)];
  const { status, stdout, stderr } = await start(
    process.execPath,
    [SUITE, ...args, ...expected],
    {},
  ).finished;
  const output = stdout + stderr;
  return { status, summary: output.slice(output.indexOf('=== SUMMARY ===')) };
}

/**
 * Starts the process with everything that the suite expects. Returns its address.
 *
 * @param mode Whether it responds like the board, or with streams if a tool reports progress.
 */
export async function startFixture(mode: 'board' | 'streams'): Promise<string> {
  const env = { STREAMS: mode === 'streams' ? '1' : '0' };
  const { child, finished } = start(process.execPath, [FIXTURE], env);
  onTestFinished(() => void child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (text: string) => {
      const url = / is served on (\S+)\n/.exec(text)?.[1];
      if (url) resolve(url);
    });
    void finished.then(({ stderr }) => reject(new Error(stderr)));
  });
}

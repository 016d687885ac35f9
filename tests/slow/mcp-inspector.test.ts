/** The official inspector of the Model Context Protocol against the built server, run as a developer would run it. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { aDataDir } from '../support/board/context.ts';
import { signInAsMcpClient } from '../support/mcp/mcp-sign-in.ts';
import { start } from '../support/http/process.ts';
import { type RunningServer, startServer } from '../support/http/server.ts';
import { Visitor } from '../support/http/visitor.ts';

const INSPECTOR = fileURLToPath(new URL('../../node_modules/.bin/mcp-inspector', import.meta.url));
/** The exit code if it would have to sign in. */
const NEEDS_AUTH = 3;

test('the inspector lists, calls, and says where a token is needed', async () => {
  const server = await startServer({ env: { REFRESH_SECONDS: '3600' } });
  const visitor = new Visitor(server.url);
  await visitor.signIn('ada@example.org');
  const { tokens } = await signInAsMcpClient(server, visitor, '/api/mcp');
  const token = ['--header', `Authorization: Bearer ${tokens?.access_token}`];
  const me = await (await visitor.request('/api/v1/me')).json();

  // Lists, for each schema, what some client would not understand.
  const listed = await inspect(server, 'tools/list', '--strict');
  const called = await inspect(server, 'tools/call', '--tool-name', 'get_leaderboard');
  const refused = await inspect(server, 'tools/call', '--tool-name', 'my_operator');
  const owned = await inspect(server, 'tools/call', '--tool-name', 'my_operator', ...token);

  expect(listed).toMatchObject({ status: 0, stderr: '' });
  expect(listed.stdout).toContain('"get_leaderboard"');
  expect(called).toMatchObject({ status: 0, stderr: '' });
  expect(structured(called.stdout)).toMatchObject({ entries: [] });
  expect(refused).toMatchObject({ status: NEEDS_AUTH, stdout: '' });
  expect(refused.stderr).toContain('auth_required');
  expect(owned).toMatchObject({ status: 0, stderr: '' });
  const shown = structured(owned.stdout);
  expect(me).toMatchObject(shown);
  expect(shown).not.toHaveProperty('fingerprint_key');
});

/** Runs it with its own home folder, and without opening a browser. */
function inspect({ url }: RunningServer, method: string, ...more: readonly string[]) {
  const target = ['--cli', `${url}/api/mcp`, '--transport', 'http', '--method', method];
  const env = { HOME: aDataDir() };
  return start(process.execPath, [INSPECTOR, ...target, '--stored-auth-only', ...more], env)
    .finished;
}

function structured(stdout: string): object {
  return (JSON.parse(stdout) as { structuredContent: object }).structuredContent;
}

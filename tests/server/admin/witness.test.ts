import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parsePolicy } from '#core/domain/tlog/policy.ts';
import { witnessFolder } from '#server/config/config.ts';
import { sha256 } from '#server/process/crypto.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { aDataDir, testContext } from '#tests/support/board/context.ts';
import { logKeyOf } from '#tests/support/tlog/board-checkpoints.ts';
import { aLogKey, aWitness } from '#tests/support/tlog/note-keys.ts';

const BASE_URL = 'https://bench.example.org';

function aScene() {
  const ctx = testContext({ baseUrl: BASE_URL });
  const { vkey } = logKeyOf(ctx);
  const env = { DATA_DIR: ctx.config.dataDir, BASE_URL };
  const witness = (...args: string[]) => runAdmin(['witness', ...args], env);
  const json = async (...args: string[]) =>
    JSON.parse((await witness(...args, '--json')).stdout) as Record<string, unknown>;
  return { ctx, vkey, env, witness, json };
}

describe('opbench-board witness', () => {
  test('prints a policy for another board, with the same key each time', async () => {
    const { ctx, vkey, witness, json } = aScene();

    const { status, stdout, stderr } = await witness('show');

    expect(status).toBe(0);
    const policy = parsePolicy(stdout, sha256);
    expect(policy.logs[0]).toMatchObject({ key: { name: 'bench.example.org/log' } });
    expect(policy.witnesses.get('bench.example.org/witness')).toMatchObject({
      key: { name: 'bench.example.org/witness', type: 4 },
      url: `${BASE_URL}/witness`,
    });
    expect(policy.quorum).toEqual({ witness: 'bench.example.org/witness' });
    expect(stderr).toContain(`opbench-board witness add ${vkey}`);
    expect(await json('show')).toMatchObject({ log: { vkey }, policy: stdout });
    if (process.platform === 'win32') return;
    const folder = witnessFolder(ctx.config);
    const modes = [folder, join(folder, 'key')].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
  });

  test('adds, lists and removes logs, and the audit log names them', async () => {
    const { ctx, witness, json } = aScene();
    const [first, second] = [aLogKey(), aLogKey()];
    const origin = 'board.example/log';

    expect(await json('add', first.vkey)).toEqual({ origin });
    const added = await witness('add', second.vkey);
    expect(added.stderr).toContain(`${origin}, at ${BASE_URL}/witness`);
    expect(await json('list')).toMatchObject({
      entries: [{ origin, vkey: second.vkey, size: null }],
    });
    expect((await witness('remove', origin)).status).toBe(0);
    expect((await witness('list')).stderr).toContain('This board witnesses no logs');
    expect((await witness('remove', origin)).status).toBe(3);
    const actions = ctx.store.auditLog.newest(5).map(({ action, subject }) => [action, subject]);
    expect(actions).toEqual([
      ['witness_remove', origin],
      ['witness_add', origin],
      ['witness_add', origin],
    ]);
  });

  test.each([
    ['the key of a witness', aWitness().vkey, 'Use the key after "log"'],
    ['a key with another ID', aLogKey().vkey.replace(/\+[0-9a-f]{8}/, '+00000000'), 'The ID of'],
    ['another text', 'board.example/log', 'A vkey has the form'],
    ['a key of small order', smallOrder(), 'The key cannot be used'],
  ])('rejects %s', async (_name, vkey, message) => {
    const { witness } = aScene();
    const { status, stderr } = await witness('add', vkey);

    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });

  test('says that the board must be started first', async () => {
    const ctx = testContext();
    const { status, stderr } = await runAdmin(['witness', 'show'], {
      DATA_DIR: ctx.config.dataDir,
    });

    expect([status, stderr]).toEqual([1, expect.stringContaining('Start the board once')]);
  });
});

describe('WITNESS_POLICY', () => {
  const aPolicyFile = (text: string) => {
    const path = join(aDataDir(), 'policy');
    writeFileSync(path, text);
    return path;
  };
  const doctor = async (WITNESS_POLICY: string) => {
    const { env } = aScene();
    const { status, stdout } = await runAdmin(['doctor', '--offline'], { ...env, WITNESS_POLICY });
    return { status, stdout };
  };
  const { vkey } = aWitness();

  test('names witnesses, which doctor reports', async () => {
    const path = aPolicyFile(`witness w1 ${vkey} https://witness.example/\nquorum w1\n`);
    const { stdout } = await doctor(path);

    expect(stdout).toContain('witness: w1 was not asked yet');
  });

  test.each([
    ['a relative path', () => 'policy', 'must be the absolute path of a policy file'],
    ['no file', () => join(aDataDir(), 'policy'), 'The file cannot be read (ENOENT)'],
    ['no quorum', () => aPolicyFile(`witness w1 ${vkey} https://w.example\n`), 'The quorum line'],
    [
      'no URL',
      () => aPolicyFile(`witness w1 ${vkey}\nquorum w1\n`),
      'w1 needs an http or https URL',
    ],
    [
      'a URL of another kind',
      () => aPolicyFile(`witness w1 ${vkey} ftp://w.example\nquorum w1\n`),
      'w1 needs an http or https URL',
    ],
    ['a line of another kind', () => aPolicyFile('quorum none\nquorums\n'), 'Line 2'],
  ])('is invalid with %s', async (_name, path, message) => {
    const { status, stdout } = await doctor(path());

    expect(status).toBe(1);
    expect(stdout).toContain('WITNESS_POLICY: ');
    expect(stdout).toContain(message);
  });
});

/** A vkey with the point of order 1, for which anybody can sign. */
function smallOrder(): string {
  const name = 'board.example/log';
  const typed = Buffer.from([1, 1, ...Array<number>(31).fill(0)]);
  const id = Buffer.from(sha256(Buffer.concat([Buffer.from(`${name}\n`), typed])));
  return `${name}+${id.subarray(0, 4).toString('hex')}+${typed.toString('base64')}`;
}

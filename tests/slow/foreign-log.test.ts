/**
 * The log of a running board, checked by programs that are not ours: Go's packages for its checksum database (on Debian,
 * `golang-go` and `golang-golang-x-mod-dev`) and openssl. Skipped where they are not installed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { toBase64Url } from '#core/domain/text/base64.ts';
import { parseVkey } from '#core/domain/tlog/note-key.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import { sha256 } from '#server/process/crypto.ts';
import { aFilledFolder } from '../support/board/filled-folder.ts';
import { aDataDir } from '../support/board/context.ts';
import { eventually, startServer, type RunningServer } from '../support/http/server.ts';
import { growLog } from '../support/tlog/board-checkpoints.ts';
import { publishedLogKey } from '../support/tlog/published-log-key.ts';

const PROGRAM = fileURLToPath(new URL('check-log.go', import.meta.url));
/** Where Debian installs the sources of Go packages. */
const GOPATH = process.env['GOPATH'] ?? '/usr/share/gocode';

const hasGo =
  spawnSync('go', ['version']).status === 0 &&
  existsSync(join(GOPATH, 'src', 'golang.org', 'x', 'mod', 'sumdb', 'tlog'));
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

async function read(server: RunningServer, path: string): Promise<string> {
  const response = await fetch(server.url + path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

/** A running board with more than 3,000 entries. */
function aBoard(): Promise<RunningServer> {
  return startServer({ dataDir: aFilledFolder(20, (ctx) => growLog(ctx, 3_000)) });
}

async function run(command: string, words: string[], env = process.env): Promise<string> {
  const child = spawn(command, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(errors).toBe('');
  return output;
}

test.skipIf(!hasGo)(
  "Go's note and tlog accept the checkpoint, all entries and both kinds of proofs (skipped without Go)",
  async () => {
    const server = await aBoard();
    const earlier = await read(server, '/log/checkpoint');
    await server.signIn('a-new-operator');
    const sizeOf = (note: string) => Number(note.split('\n')[1]);
    const later = await eventually(
      () => read(server, '/log/checkpoint'),
      (note) => sizeOf(note) > sizeOf(earlier),
    );
    const env = { ...process.env, GO111MODULE: 'off', GOPATH, GOCACHE: aDataDir(), GOFLAGS: '' };

    const answer = await run(
      'go',
      ['run', PROGRAM, server.url, await publishedLogKey(server.url), earlier],
      env,
    );

    const size = sizeOf(later);
    expect(size).toBeGreaterThan(3_000);
    expect(answer.trim().split('\n')).toEqual([
      `note: ${size} entries`,
      `entries: ${size}`,
      `consistency: ${sizeOf(earlier)} to ${size}`,
      'inclusion: 1000',
    ]);
  },
);

test.skipIf(!hasOpenssl)(
  'openssl accepts the signature of the checkpoint (skipped without openssl)',
  async () => {
    const server = await startServer();
    const note = parseNote(await read(server, '/log/checkpoint'));
    const { publicKey } = parseVkey(await publishedLogKey(server.url), sha256);
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: toBase64Url(publicKey) };
    const folder = aDataDir();
    const file = (name: string, content: string | Uint8Array) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({
      format: 'pem',
      type: 'spki',
    });
    const key = file('key.pem', pem.toString());
    const signature = file('signature', note.signatures[0]?.signature ?? '');
    const words = ['pkeyutl', '-verify', '-rawin', '-pubin', '-inkey', key, '-sigfile', signature];

    const answer = await run('openssl', [...words, '-in', file('text', note.text)]);

    expect(answer.trim()).toBe('Signature Verified Successfully');
  },
);

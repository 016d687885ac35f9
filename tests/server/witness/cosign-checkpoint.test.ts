import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import { verifyCosignature } from '#core/domain/tlog/cosignature.ts';
import { parseVkey } from '#core/domain/tlog/note-key.ts';
import { parseNote, parseSignatures } from '#core/domain/tlog/note.ts';
import { databasePath, witnessFolder } from '#server/config/config.ts';
import { sha256 } from '#server/process/crypto.ts';
import { readLargest } from '#server/public-log/checkpoint-file.ts';
import { cosignCheckpoint } from '#server/witness/cosign-checkpoint.ts';
import { openWitnessKey } from '#server/witness/witness-key.ts';
import {
  addWitnessedLog,
  cosignedPath,
  removeWitnessedLog,
} from '#server/witness/witnessed-logs.ts';
import { NOW_MS } from '#tests/support/board/builders.ts';
import { testContext } from '#tests/support/board/context.ts';
import { aLogKey, signedCheckpoint } from '#tests/support/tlog/note-keys.ts';
import { type TreeLog, aTreeLog } from '#tests/support/tlog/tree-log.ts';

/** A board that witnesses a log. */
function aWitnessBoard(log: TreeLog = aTreeLog()) {
  const ctx = testContext();
  const warnings: object[] = [];
  const logger = { ...ctx.logger, warn: (_: string, fields = {}) => void warnings.push(fields) };
  const { vkey } = openWitnessKey(ctx.config, ctx.config.baseUrl);
  addWitnessedLog(ctx.store, log.vkey, ctx.now());
  const path = cosignedPath(ctx.config, log.key.name);
  const ask = (body: string) => cosignCheckpoint({ ...ctx, logger }, body);
  return { ctx, ask, path, key: parseVkey(vkey, sha256), warnings };
}

describe('cosignCheckpoint()', () => {
  test('cosigns a checkpoint, and then one that extends it', async () => {
    const log = aTreeLog().grow(3);
    const { ask, key, path } = aWitnessBoard(log);

    for (const oldSize of [0, 3]) {
      if (oldSize > 0) log.grow(500);
      const { status, body } = await ask(log.request(oldSize));

      expect(status).toBe(200);
      const { text } = parseNote(log.checkpoint());
      const note = { text, signatures: parseSignatures(body) };
      expect(await verifyCosignature(note, key, verifyStrict)).toBe(Math.floor(NOW_MS / 1000));
      expect(readFileSync(path, 'utf8')).toBe(log.checkpoint());
    }
  });

  test('cosigns the same checkpoint again, at the time of the request', async () => {
    const log = aTreeLog().grow(3);
    const { ask, ctx, key } = aWitnessBoard(log);
    await ask(log.request(0));
    ctx.clock.nowMs += 60_000;

    const { status, body } = await ask(log.request(3));

    expect(status).toBe(200);
    const { text } = parseNote(log.checkpoint());
    const seconds = await verifyCosignature(
      { text, signatures: parseSignatures(body) },
      key,
      verifyStrict,
    );
    expect(seconds).toBe(Math.floor(NOW_MS / 1000) + 60);
  });

  test('answers 409 with the size of the last cosigned checkpoint, which it keeps', async () => {
    const log = aTreeLog().grow(7);
    const { ask, warnings } = aWitnessBoard(log);

    expect(await ask(log.request(5))).toMatchObject({ status: 409, body: '0\n' });
    await ask(log.request(0));
    log.grow(2);
    const conflict = { status: 409, type: 'text/x.tlog.size', body: '7\n' };
    expect(await ask(log.request(0))).toEqual(conflict);
    expect(await ask(log.fork(5).request(5))).toEqual(conflict);
    expect(await ask(log.request(7))).toMatchObject({ status: 200 });
    expect(warnings).toEqual([]);
  });

  test('answers 409 to another tree of the same size, and logs the evidence', async () => {
    const log = aTreeLog().grow(7);
    const { ask, warnings, path } = aWitnessBoard(log);
    await ask(log.request(0));
    const other = log.fork(6).grow(1);

    expect(await ask(other.request(7))).toMatchObject({ status: 409, body: '7\n' });
    expect(warnings).toMatchObject([{ size: 7, evidence: other.checkpoint() }]);
    expect(readFileSync(path, 'utf8')).toBe(log.checkpoint());
  });

  test('answers 422 to a log that was split or reordered, and logs the evidence', async () => {
    const log = aTreeLog().grow(7);
    const { ask, warnings, path } = aWitnessBoard(log);
    await ask(log.request(0));
    const split = log.fork(6).grow(9);

    expect(await ask(split.request(7))).toMatchObject({ status: 422, type: 'text/plain' });
    expect(warnings).toMatchObject([{ old_size: 7, size: 15, evidence: split.checkpoint() }]);
    expect(readLargest(path)).toMatchObject({ size: 7 });
  });

  test('answers 404 to unknown logs, and 403 to other keys', async () => {
    const log = aTreeLog().grow(7);
    const { ask, ctx } = aWitnessBoard(log);
    const stranger = aTreeLog('other.example/log').grow(1);
    const impostor = aTreeLog().grow(7);
    const request = log.request(0);
    const unsigned = request.replace(/— .+/, PETERS_LINE);

    expect(await ask(stranger.request(0))).toMatchObject({ status: 404 });
    expect(await ask(impostor.request(0))).toMatchObject({ status: 403 });
    expect(await ask(unsigned)).toMatchObject({ status: 403 });
    // The right name and key ID, but a signature of another text.
    const [signature = ''] = /— .+\n/.exec(log.fork(3).checkpoint()) ?? [];
    expect(await ask(request.replace(/— .+\n/, signature))).toMatchObject({ status: 403 });
    removeWitnessedLog(ctx.store, log.key.name, ctx.now());
    expect(await ask(request)).toMatchObject({ status: 404 });
  });

  test('ignores signatures by unknown keys', async () => {
    const log = aTreeLog().grow(7);
    const { ask, path } = aWitnessBoard(log);

    const { status } = await ask(log.request(0).replace('— ', `${PETERS_LINE}\n— `));

    expect(status).toBe(200);
    expect(readFileSync(path, 'utf8')).toBe(log.checkpoint());
  });

  test.each(['', 'old 1', 'old -1\n\nx', '{}', 'old 0\n\na\n0\n\n— x y\n'])(
    'answers 400 to %j',
    async (body) => {
      expect(await aWitnessBoard().ask(body)).toMatchObject({ status: 400, type: 'text/plain' });
    },
  );

  test('answers 400 to an old size above the size', async () => {
    const log = aTreeLog().grow(7);
    expect(await aWitnessBoard(log).ask(log.request(8))).toMatchObject({ status: 400 });
  });

  test('cosigns only one of several different continuations at the same time', async () => {
    const log = aTreeLog().grow(7);
    const { ask, path } = aWitnessBoard(log);
    await ask(log.request(0));
    const rivals = Array.from({ length: 20 }, (_, at) => log.fork(7).grow(at + 1));

    const answers = await Promise.all(rivals.map((rival) => ask(rival.request(7))));

    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
    expect(readFileSync(path, 'utf8')).toBe(rivals[statuses.indexOf(200)]?.checkpoint());
  });

  test('cosigns nothing that it could not store', async () => {
    const log = aTreeLog().grow(7);
    const { ask, path, ctx } = aWitnessBoard(log);
    await ask(log.request(0));
    const key = readFileSync(`${witnessFolder(ctx.config)}/key`);
    log.grow(1);

    rmSync(witnessFolder(ctx.config), { recursive: true });
    await expect(ask(log.request(7))).rejects.toMatchObject({ code: 'service_unavailable' });
    writeFileSync(witnessFolder(ctx.config), key);
    await expect(ask(log.request(7))).rejects.toThrow();
    expect(existsSync(path)).toBe(false);
  });

  test('does not take a damaged memory for none', async () => {
    const log = aTreeLog().grow(7);
    const { ask, path } = aWitnessBoard(log);
    await ask(log.request(0));
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 20));

    await expect(ask(log.request(0))).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  test('remembers the checkpoint while the log is not in its list, and under a new key', async () => {
    const log = aTreeLog().grow(7);
    const { ask, ctx } = aWitnessBoard(log);
    await ask(log.request(0));
    removeWitnessedLog(ctx.store, log.key.name, ctx.now());
    const next = aLogKey(log.key.name);
    addWitnessedLog(ctx.store, next.vkey, ctx.now());
    log.grow(1);
    const signed = signedCheckpoint({ origin: log.key.name, ...log.head() }, next);
    const [, proof = ''] = /^(old[^]*?\n\n)/.exec(log.request(7)) ?? [];

    expect(await ask(`old 0\n\n${signed}`)).toMatchObject({ status: 409, body: '7\n' });
    expect(await ask(proof + signed)).toMatchObject({ status: 200 });
  });

  test('remembers the checkpoint after an older database was restored', async () => {
    const log = aTreeLog().grow(7);
    const { ask, ctx } = aWitnessBoard(log);
    ctx.store.version();
    const older = readFileSync(databasePath(ctx.config));
    await ask(log.request(0));
    expect(older.equals(readFileSync(databasePath(ctx.config)))).toBe(true);

    expect(await ask(log.fork(5).grow(3).request(0))).toMatchObject({ status: 409, body: '7\n' });
  });
});

const PETERS_LINE =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=';

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkLog } from '#agent/log-check/check-log.ts';
import { ownPolicyPath } from '#agent/log-check/policies.ts';
import { aDeviceOf, anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { verify } from '#tests/support/board/verify.ts';
import { growLog } from '#tests/support/tlog/board-checkpoints.ts';
import { aDeviceWithLog } from '#tests/support/tlog/device-of-log.ts';
import { LogView, entriesOf } from '#tests/support/tlog/log-view.ts';
import { aWitness } from '#tests/support/tlog/note-keys.ts';

async function aProof() {
  const made = await aDeviceWithLog();
  const receipt = await made.send();
  await checkLog(made.device, made.identity);
  const path = join(made.kept.folder, 'proofs', `${receipt.log_index}.tlog-proof`);
  return { ...made, receipt, path };
}

describe('opbench verify PROOF', () => {
  test('verifies a saved proof without the board', async () => {
    const { device, receipt, path, key, asked } = await aProof();
    asked.length = 0;

    const { exitCode, report } = await verify(device, path);

    expect(exitCode).toBe(0);
    expect(report).toMatchObject({
      sound: true,
      origin: key.origin,
      log_index: receipt.log_index,
      entry_hash: receipt.entry_hash,
      kind: 'snapshot',
      received_at: receipt.received_at,
      own_receipt: true,
      cosigned: [],
    });
    expect(asked).toEqual([]);
    const output = anOutput();
    await runCommand(device, 'verify', [path], output);
    expect(output.results.join('')).toContain('Sound: the log contains this entry.');
  });

  test('fails for each changed byte', async () => {
    const { device, path } = await aProof();
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at += 5) {
      writeFileSync(path, whole.with(at, (whole[at] ?? 0) ^ 1));
      await expect(verify(device, path)).rejects.toMatchObject({ exitCode: 3 });
    }
  });

  test('needs the key of the log, from this device or from a policy', async () => {
    const { ctx, path, key } = await aProof();
    const stranger = aDeviceOf(ctx);
    await expect(verify(stranger, path)).rejects.toMatchObject({ hint: /--policy FILE/ });
    const policy = `${path}.policy`;
    writeFileSync(policy, `log ${key.vkey}\nquorum none\n`);
    const output = anOutput();
    const args = [path, '--policy', policy, '--json'];
    expect(await runCommand(stranger, 'verify', args, output)).toBe(0);
    expect(JSON.parse(output.results.join(''))).toMatchObject({ sound: true, own_receipt: false });
  });
});

describe('the witnesses of the person', () => {
  test('must have cosigned before a proof is saved', async () => {
    const made = await aDeviceWithLog();
    const { board, ctx, device, identity, kept, key } = made;
    const witness = aWitness();
    const { log_index } = await made.send();
    const policy = `witness friend ${witness.vkey}\nquorum friend\n`;
    writeFileSync(ownPolicyPath(device.keystore), policy);

    const waiting = await checkLog(device, identity);
    board.log = () => new LogView(entriesOf(ctx.store), key, (text) => [witness.cosign(text, 1e9)]);
    const proven = await checkLog(device, identity);

    expect(waiting).toMatchObject({ proven: 0, waiting: 1, note: /too few of your witnesses/ });
    expect(proven).toMatchObject({ proven: 1, note: null });
    const path = join(kept.folder, 'proofs', `${log_index}.tlog-proof`);
    const { report } = await verify(device, path);
    expect(report).toMatchObject({
      cosigned: [{ witness: 'friend', at: '2001-09-09T01:46:40.000Z' }],
    });
  });

  test('are looked up in an older checkpoint if they have not cosigned the newest one yet', async () => {
    const made = await aDeviceWithLog();
    const { asked, board, ctx, device, identity, kept, key } = made;
    const witness = aWitness();
    const { log_index } = await made.send();
    const entries = entriesOf(ctx.store);
    const cosigned = new LogView(entries, key, (text) => [witness.cosign(text, 1e9)]);
    growLog(ctx, 3);
    const policy = `witness friend ${witness.vkey}\nquorum friend\n`;
    writeFileSync(ownPolicyPath(device.keystore), policy);
    let older = cosigned.with((all) => all.with(0, Buffer.from('another')));
    board.change = (path, answer) => {
      const isCosigned = path.endsWith('/proof') && asked.at(-1)?.endsWith('&cosigned=true');
      return isCosigned ? new Response(older.proof(log_index)) : answer;
    };

    await expect(checkLog(device, identity)).rejects.toMatchObject({ code: 'log_split' });
    older = cosigned;
    expect(await checkLog(device, identity)).toMatchObject({ proven: 1, note: null });

    const path = join(kept.folder, 'proofs', `${log_index}.tlog-proof`);
    expect((await verify(device, path)).report).toMatchObject({
      cosigned: [{ witness: 'friend' }],
    });
  });

  test('are not checked with a file that is not a policy, which is named', async () => {
    const made = await aDeviceWithLog();
    writeFileSync(ownPolicyPath(made.device.keystore), 'nonsense\n');
    expect(await checkLog(made.device, made.identity)).toMatchObject({ note: /witnesses\.policy/ });
  });
});

import { openLogKey } from '#server/identity/log-key.ts';
import { replaceFile } from '#server/process/atomic-file.ts';
import { Checkpoints } from '#server/public-log/checkpoints.ts';
import type { Policy } from '#core/domain/tlog/policy.ts';
import { parseVkey } from '#core/domain/tlog/note-key.ts';
import { sha256 } from '#server/process/crypto.ts';
import type { TestContext } from '#tests/support/board/context.ts';

export function logKeyOf(ctx: TestContext) {
  const { store, config, boardKey } = ctx;
  return openLogKey(store, { baseUrl: config.baseUrl, boardKey, now: ctx.now() });
}

/** The checkpoints of a board, as a server that starts now has them. */
export function checkpointsOf(ctx: TestContext, write = replaceFile, isHeld = false): Checkpoints {
  const { store, logger, config } = ctx;
  return new Checkpoints({
    store,
    key: logKeyOf(ctx),
    config,
    logger,
    write,
    isHeld: () => isHeld,
  });
}

/** Adds entries to the log, which hide nobody. */
export function growLog({ store, now }: TestContext, entries: number): void {
  const payload = { operator: '01a1f8d8-1000-7b3e-9f55-0e3b7a1c4f10' };
  for (let added = 0; added < entries; added += 1) {
    store.transaction(() => {
      store.log.append({ kind: 'hide', operator_id: null, payload, now: now() });
    });
  }
}

/** Trusts a log, and requires no witness. */
export function policyOf(vkey: string): Policy {
  const key = parseVkey(vkey, sha256);
  return {
    logs: [{ key, url: null }],
    witnesses: new Map(),
    quorum: { threshold: 0, members: [] },
  };
}

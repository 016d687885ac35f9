/** What `/transparency` shows: the checkpoint of the log, and what its witnesses answered. */
import { toBase64 } from '#core/domain/text/base64.ts';
import { vkeyOf } from '#core/domain/tlog/note-key.ts';
import type { Quorum } from '#core/domain/tlog/policy.ts';
import type { AppContext } from '../context.ts';
import { readWitnessKey, witnessUrl } from './witness-key.ts';

type Ctx = Pick<AppContext, 'checkpoints' | 'config' | 'witnesses'>;

export function readTransparency({ checkpoints, config, witnesses: client }: Ctx) {
  const { shown, cosigned, key, fault } = checkpoints;
  const own = readWitnessKey(config);
  return {
    key,
    fault,
    shown: shown && { size: shown.size, root: toBase64(shown.root) },
    /** The size of the newest checkpoint that the quorum cosigned. */
    cosignedSize: cosigned?.size ?? null,
    quorum: quorumText(config.witnessPolicy?.quorum ?? null),
    witnesses: (client?.witnesses ?? []).map(({ name, key, report }) => {
      return { name, vkey: vkeyOf(key), report };
    }),
    /** The board as a witness of others; null if it is none. */
    own: own && { vkey: own.vkey, url: witnessUrl(config.baseUrl) },
  };
}

/** What the policy requires, such as `2 of: a, b, c`; null if it requires nothing. */
function quorumText(quorum: Quorum | null): string | null {
  if (!quorum) return null;
  if ('witness' in quorum) return quorum.witness;
  const { threshold, members } = quorum;
  if (threshold === 0) return null;
  const names = members.map((each) => ('witness' in each ? each.witness : `(${quorumText(each)})`));
  return `${threshold} of: ${names.join(', ')}`;
}

/** Checks a proof that an entry is in the log of a board, offline. */
import { hex } from '#core/domain/log/log-entry.ts';
import { checkInclusion, parseLogProof } from '#core/domain/tlog/log-proof.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import type { Policy } from '#core/domain/tlog/policy.ts';
import { plain } from '#core/domain/text/terminal-text.ts';
import type { LocalDevice } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { KeptLog } from '../log-check/kept-log.ts';
import { receiptsOf } from '../log-check/log-report.ts';
import { PROOF_TOOLS, ownPolicy, readPolicy } from '../log-check/policies.ts';
import { readText } from '../state/atomic-file.ts';
import { sha256 } from '../state/sha256.ts';
import { figure, momentText } from '../text/figures.ts';

/** The result of the check, as `--json` prints it. */
export interface ProofReport {
  sound: boolean;
  source: string;
  origin: string;
  log_index: number;
  kind: string;
  received_at: string;
  entry_hash: string;
  /** The tree of the checkpoint. */
  size: number;
  root: string;
  /** The witnesses that cosigned it. */
  cosigned: readonly { witness: string; at: string }[];
  /** Whether the entry is that of a receipt of this device. */
  own_receipt: boolean;
}

/** Whether a file is a proof, by its name. */
export function isProofFile(path: string): boolean {
  return path.endsWith('.tlog-proof');
}

/**
 * Checks a proof with the keys of a policy, or else with those that this device trusts.
 *
 * @throws {Failure} `usage` if a file cannot be read, `refused` if the proof is not valid.
 */
export async function verifyProof(
  device: LocalDevice,
  path: string,
  policyPath: string | undefined,
): Promise<ProofReport> {
  const text = readText(path);
  if (text === null) throw noFile(path);
  const policy = policyPath === undefined ? trustedHere(device) : given(policyPath);
  try {
    const proof = parseLogProof(text);
    const entry = proof.extra;
    if (!entry) throw new NoteError('proof_invalid', 'The text of the entry is missing');
    const checked = await checkInclusion(entry, proof, policy, PROOF_TOOLS);
    const [, kind = '', , received_at = ''] = Buffer.from(entry).toString().split('\n');
    const entry_hash = hex(sha256(entry));
    const log_index = proof.index + 1;
    const cosigned = [...checked.cosigned].map(([witness, seconds]) => {
      return { witness, at: new Date(1000 * seconds).toISOString() };
    });
    const { origin, size, root } = checked;
    return {
      ...{ sound: true, source: path, origin, log_index, kind, received_at, entry_hash, size },
      ...{ root: hex(root), cosigned, own_receipt: isOwn(device, log_index, entry_hash) },
    };
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new Failure(EXIT.refused, `${path} proves nothing: ${error.message}`, hintOf(error));
  }
}

/** Trusts the logs of this device's boards, and requires the quorum of the person's own policy. */
function trustedHere({ keystore }: LocalDevice): Policy {
  const own = ownPolicy(keystore);
  const keys = keystore.identities().sound.flatMap(({ board }) => {
    return new KeptLog(keystore.folderOf(board)).read()?.keys ?? [];
  });
  return { ...own, logs: [...own.logs, ...keys.map((key) => ({ key, url: null }))] };
}

function given(path: string): Policy {
  const policy = readPolicy(path);
  if (policy) return policy;
  throw noFile(path);
}

function noFile(path: string): Failure {
  return new Failure(EXIT.usage, `There is no file ${path}`);
}

function isOwn(device: LocalDevice, log_index: number, entry_hash: string): boolean {
  return device.keystore.identities().sound.some((identity) => {
    return receiptsOf(device, identity).some((receipt) => {
      return receipt.log_index === log_index && receipt.entry_hash === entry_hash;
    });
  });
}

function hintOf({ code }: NoteError): string | null {
  if (code !== 'signature_missing') return null;
  return 'This device does not know the key of that log. Name a file with the key: --policy FILE';
}

export function proofText(report: ProofReport): string {
  const { origin, log_index, kind, received_at, size, root, cosigned, own_receipt } = report;
  return [
    `${plain(origin)}, entry ${figure(log_index)} (${plain(kind)}), received ${momentText(received_at)}`,
    `  tree         ${figure(size)} entries, root ${root}`,
    `  hash         ${report.entry_hash}`,
    `  own receipt  ${own_receipt ? 'yes, this device sent it' : 'no'}`,
    ...cosigned.map(({ witness, at }) => `  cosigned     ${plain(witness)}, ${momentText(at)}`),
    'Sound: the log contains this entry.',
  ].join('\n');
}

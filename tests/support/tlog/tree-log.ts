import { consistencyText } from '#core/domain/tlog/log-proof.ts';
import { rootOfHashes } from '#core/domain/tlog/tile.ts';
import {
  type Hash,
  type TreeHead,
  consistencyPath,
  leafHash,
  rootOf,
} from '#core/domain/tlog/tree.ts';
import { sha256 } from '#server/process/crypto.ts';
import { type TestLog, aLogKey, signedCheckpoint } from './note-keys.ts';

/** A log in memory, which can also show other histories than it did before. */
export interface TreeLog extends TestLog {
  head(): TreeHead;
  /** Adds entries. */
  grow(entries: number): TreeLog;
  /** Another log with the same key, which has other entries after the first ones. */
  fork(entries: number): TreeLog;
  /** The signed checkpoint of all entries. */
  checkpoint(): string;
  /** A request to a witness. */
  request(oldSize: number): string;
}

export function aTreeLog(name?: string): TreeLog {
  return treeLog(aLogKey(name), []);
}

let forks = 0;

function treeLog(log: TestLog, leaves: Hash[], history = 0): TreeLog {
  const read = (level: number, number: number) => {
    const width = 2 ** level;
    return rootOfHashes(leaves.slice(number * width, (number + 1) * width), sha256);
  };
  const head = () => ({ size: leaves.length, root: rootOf(leaves.length, read, sha256) });
  const checkpoint = () => signedCheckpoint({ origin: log.key.name, ...head() }, log);
  return {
    ...log,
    head,
    checkpoint,
    grow(entries) {
      for (let added = 0; added < entries; added += 1) {
        const entry = `entry ${leaves.length} of history ${history}`;
        leaves.push(leafHash(new TextEncoder().encode(entry), sha256));
      }
      return this;
    },
    fork: (entries) => treeLog(log, leaves.slice(0, entries), (forks += 1)),
    request(oldSize) {
      const path =
        oldSize > leaves.length ? [] : consistencyPath(oldSize, leaves.length, read, sha256);
      return consistencyText({ oldSize, path, checkpoint: checkpoint() });
    },
  };
}

/** Signs the checkpoints of the log. It never signs two trees that do not extend each other. */
import type { Store } from '#db/store.ts';
import { checkpointText } from '#core/domain/tlog/checkpoint.ts';
import { NoteError } from '#core/domain/tlog/note-error.ts';
import { noteOf } from '#core/domain/tlog/note.ts';
import { rootOf } from '#core/domain/tlog/tree.ts';
import { type Config, checkpointPath } from '../config/config.ts';
import { type LogKey, generationOf } from '../identity/log-key.ts';
import { replaceFile } from '../process/atomic-file.ts';
import { sha256 } from '../process/crypto.ts';
import type { Logger } from '../process/logger.ts';
import { type CheckpointFault, checkpointProblem } from '../process/checkpoint-fault.ts';
import { logFailure } from '../process/storage-fault.ts';
import { type SignedCheckpoint, newestGeneration, readLargest } from './checkpoint-file.ts';

type Tree = Pick<Store['tiles'], 'node' | 'size'>;

/** Compares a tree with the largest checkpoint that was signed. Null if it extends it. */
export function checkpointFault(
  { size, node }: Tree,
  largest: SignedCheckpoint | null,
): CheckpointFault | null {
  if (!largest) return null;
  if (largest.size > size()) return 'rewound';
  const root = rootOf(largest.size, node, sha256);
  return Buffer.compare(root, largest.root) === 0 ? null : 'forked';
}

interface CheckpointsOptions {
  store: Pick<Store, 'tiles'>;
  key: LogKey;
  config: Pick<Config, 'dataDir'>;
  logger: Logger;
  /** Writes the file durably. */
  write?: typeof replaceFile;
  /**
   * Whether readers see a checkpoint only after `show`, because its log must be in the object store first. Otherwise
   * another machine that takes over could not continue what they saw.
   */
  isHeld?: () => boolean;
}

export class Checkpoints {
  readonly #options: CheckpointsOptions;
  /** The number of the board's log, which is 1 unless a restored board had to begin a new one. */
  readonly #generation: number;
  /** The file of the largest checkpoint. */
  readonly #path: string;
  #signed: SignedCheckpoint | null = null;
  #shown: SignedCheckpoint | null = null;
  #newest: SignedCheckpoint | null = null;
  #cosigned: SignedCheckpoint | null = null;
  #fault: CheckpointFault | null = null;

  constructor(options: CheckpointsOptions) {
    this.#options = options;
    this.#generation = generationOf(options.key.origin);
    this.#path = checkpointPath(options.config, this.#generation);
  }

  /** The name and the public key of the log. */
  get key(): Pick<LogKey, 'origin' | 'vkey'> {
    return this.#options.key;
  }

  /**
   * The checkpoint that readers see, with the cosignatures that it has; null before the first one, and while the log
   * contradicts what was published.
   */
  get shown(): SignedCheckpoint | null {
    return this.#withCosignatures(this.#shown);
  }

  /** The newest one, which readers may not see yet. */
  get signed(): SignedCheckpoint | null {
    return this.#withCosignatures(this.#signed);
  }

  #withCosignatures(checkpoint: SignedCheckpoint | null): SignedCheckpoint | null {
    const newest = this.#newest;
    const isSame = checkpoint && newest && checkpointText(checkpoint) === checkpointText(newest);
    return isSame ? newest : checkpoint;
  }

  /** Lets readers see a checkpoint that was signed. */
  show(checkpoint: SignedCheckpoint): void {
    if (!this.#fault && checkpoint.size >= (this.#shown?.size ?? 0)) this.#shown = checkpoint;
  }

  /** The newest checkpoint that the quorum of the board's witnesses cosigned; null if there is none. */
  get cosigned(): SignedCheckpoint | null {
    return this.#fault ? null : this.#cosigned;
  }

  /** Takes a checkpoint of this log with verified cosignatures. */
  takeCosigned(checkpoint: SignedCheckpoint, hasQuorum: boolean): void {
    this.#newest = checkpoint;
    if (hasQuorum) this.#cosigned = checkpoint;
  }

  get fault(): CheckpointFault | null {
    return this.#fault;
  }

  /** Signs a checkpoint of the current tree, and shows it unless it is held. It is durable before anybody sees it. */
  advance(): void {
    try {
      const { config, store, isHeld = () => false } = this.#options;
      const largest = readLargest(this.#path);
      const isOlder = newestGeneration(config.dataDir) > this.#generation;
      this.#note(isOlder ? 'rewound' : checkpointFault(store.tiles, largest));
      this.#signed = this.#fault ? null : this.#next(largest);
      if (!isHeld()) this.#shown = this.#signed;
    } catch (error) {
      if (error instanceof NoteError) this.#note('unreadable');
      else logFailure(this.#options.logger, 'checkpoint_failed', error);
    }
  }

  /** The largest checkpoint if the tree did not grow since; else a new one. */
  #next(largest: SignedCheckpoint | null): SignedCheckpoint {
    const { store, key, write = replaceFile } = this.#options;
    const size = store.tiles.size();
    if (largest?.origin === key.origin && largest.size === size) return largest;
    const checkpoint = { origin: key.origin, size, root: rootOf(size, store.tiles.node, sha256) };
    const text = checkpointText(checkpoint);
    const note = noteOf(text, [key.sign(text)]);
    write(this.#path, note);
    return { note, ...checkpoint };
  }

  #note(fault: CheckpointFault | null): void {
    if (fault && fault !== this.#fault) {
      this.#options.logger.error('checkpoint_refused', new Error(checkpointProblem(fault)));
    }
    if (fault) this.#shown = this.#signed = null;
    this.#fault = fault;
  }
}

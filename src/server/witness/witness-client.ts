/** Has the checkpoints of the board's log cosigned by its witnesses, in the background. */
import { checkpointText } from '#core/domain/tlog/checkpoint.ts';
import { type NoteSignature, noteOf, parseNote, signatureBy } from '#core/domain/tlog/note.ts';
import { isQuorum } from '#core/domain/tlog/policy.ts';
import type { Config } from '../config/config.ts';
import type { Witness, WitnessPolicy } from '../config/witness-policy.ts';
import type { AppContext } from '../context.ts';
import type { Watch } from '../process/admin-actions.ts';
import { WITNESS_ALARM_WORDS } from '../process/checkpoint-fault.ts';
import type { Logger } from '../process/logger.ts';
import { logFailure } from '../process/storage-fault.ts';
import type { SignedCheckpoint } from '../public-log/checkpoint-file.ts';
import type { Checkpoints } from '../public-log/checkpoints.ts';
import { consistencyWith } from '../public-log/proofs.ts';
import { type WitnessAnswer, askWitness } from './ask-witness.ts';
import {
  type WitnessAlarm,
  type WitnessReport,
  type WitnessState,
  checkpointOf,
  emptyState,
  idOf,
  isAlarm,
  readWitnessState,
  writeWitnessState,
} from './witness-state.ts';

/** The least time between two requests to a witness. The first comes with the start of the board. */
const EVERY_MS = 3_600_000;
/** How often the board looks whether the log grew. */
const LOOK_MS = 1_000;

interface WitnessClientOptions {
  policy: WitnessPolicy;
  checkpoints: Pick<Checkpoints, 'key' | 'shown' | 'takeCosigned'>;
  store: AppContext['store'];
  config: Pick<Config, 'dataDir'>;
  now: () => Date;
  /** Milliseconds from a monotonic clock. */
  steadyMs: () => number;
  logger: Logger;
  /** Called when a witness begins to contradict the log. */
  onAlarm: (witness: string, state: WitnessAlarm) => void;
  timeoutMs?: number;
}

/** A witness with its last answer; null if it was not asked yet. */
export interface AskedWitness extends Witness {
  report: WitnessReport | null;
}

export class WitnessClient implements Watch {
  readonly #options: WitnessClientOptions;
  #state: WitnessState;
  #askedMs = -Infinity;
  #asking: Promise<void> | null = null;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WitnessClientOptions) {
    this.#options = options;
    const { origin } = options.checkpoints.key;
    const state = readWitnessState(options.config);
    this.#state = state?.origin === origin ? state : emptyState(origin);
    this.#show();
  }

  get witnesses(): AskedWitness[] {
    return witnessesIn(this.#options.policy, this.#state);
  }

  get hasAlarm(): boolean {
    return this.witnesses.some(({ report }) => isAlarm(report?.state));
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  /** Asks the witnesses that did not cosign the shown checkpoint, if an hour has passed. Resolves when all answered. */
  look(): Promise<void> {
    const { checkpoints, steadyMs } = this.#options;
    const { shown } = checkpoints;
    const isDue = shown !== null && steadyMs() - this.#askedMs >= EVERY_MS;
    const asked = isDue ? this.witnesses.filter((each) => !hasCosigned(each, shown)) : [];
    if (this.#asking || this.#isStopped || !shown || asked.length === 0) {
      return this.#asking ?? Promise.resolve();
    }
    this.#askedMs = steadyMs();
    this.#asking = this.#askAll(asked, shown).finally(() => (this.#asking = null));
    return this.#asking;
  }

  async #askAll(asked: readonly AskedWitness[], checkpoint: SignedCheckpoint): Promise<void> {
    try {
      const answers = await Promise.all(asked.map((witness) => this.#ask(witness, checkpoint)));
      if (this.#isStopped) return;
      const state = this.#with(checkpoint, asked, answers);
      writeWitnessState(this.#options.config, state);
      this.#state = state;
      this.#show();
    } catch (error) {
      logFailure(this.#options.logger, 'witnesses_stopped', error);
    }
  }

  #ask(witness: AskedWitness, checkpoint: SignedCheckpoint): Promise<WitnessAnswer> {
    const { store, now, timeoutMs } = this.#options;
    return askWitness(witness, {
      checkpoint,
      oldSize: Math.min(witness.report?.cosigned?.size ?? 0, checkpoint.size),
      bodyFrom: (oldSize) => consistencyWith({ store }, oldSize, checkpoint),
      now: now(),
      timeoutMs,
    });
  }

  /** The state after some answers. */
  #with(
    checkpoint: SignedCheckpoint,
    asked: readonly AskedWitness[],
    answers: readonly WitnessAnswer[],
  ): WitnessState {
    const witnesses = { ...this.#state.witnesses };
    asked.forEach((witness, at) => {
      const answer = answers[at] as WitnessAnswer;
      witnesses[idOf(witness.key)] = this.#reportOf(witness, answer, checkpoint.size);
      this.#log(witness, answer);
    });
    const signatures = answers.flatMap((each) => (each.state === 'cosigned' ? each.signature : []));
    const state = { ...this.#state, witnesses };
    if (signatures.length === 0) return state;
    const newest = cosignedNote(checkpoint, signatures);
    const hasQuorum = meetsQuorum(this.#options.policy, newest);
    return { ...state, newest, ...(hasQuorum && { quorum: newest }) };
  }

  #reportOf({ report }: AskedWitness, answer: WitnessAnswer, size: number): WitnessReport {
    // A witness that cannot be reached takes nothing back.
    if (report && answer.state === 'failed' && isAlarm(report.state)) return report;
    const at = this.#options.now().toISOString();
    if (answer.state !== 'cosigned') {
      return { state: answer.state, detail: answer.detail, at, cosigned: report?.cosigned ?? null };
    }
    const cosigned = { size, at: new Date(answer.seconds * 1000).toISOString() };
    return { state: 'cosigned', detail: null, at, cosigned };
  }

  #log({ name, report }: AskedWitness, answer: WitnessAnswer): void {
    const { logger, onAlarm } = this.#options;
    if (answer.state === 'cosigned') return;
    const { state, detail } = answer;
    const fields = { witness: name, state, ...(detail !== null && { detail }) };
    if (!isAlarm(state)) return logger.warn('witness_failed', fields);
    logger.error('witness_alarm', new Error(WITNESS_ALARM_WORDS), fields);
    if (!isAlarm(report?.state)) onAlarm(name, state);
  }

  #show(): void {
    const { checkpoints, policy } = this.#options;
    const { newest, quorum } = this.#state;
    for (const note of [quorum, newest]) {
      const checkpoint = checkpointOf(note);
      // The policy may have changed since.
      if (checkpoint) checkpoints.takeCosigned(checkpoint, meetsQuorum(policy, checkpoint.note));
    }
  }
}

/** The witnesses of a policy with their last answers. */
export function witnessesIn(
  { witnesses }: WitnessPolicy,
  state: WitnessState | null,
): AskedWitness[] {
  return witnesses.map((witness) => {
    return { ...witness, report: state?.witnesses[idOf(witness.key)] ?? null };
  });
}

/** Whether the cosignatures of a checkpoint, which were verified when they came, form the quorum. */
export function meetsQuorum({ witnesses, quorum }: WitnessPolicy, checkpoint: string): boolean {
  const note = parseNote(checkpoint);
  const cosigners = witnesses.filter(({ key }) => signatureBy(key, note) !== null);
  return isQuorum(quorum, new Set(cosigners.map(({ name }) => name)));
}

function hasCosigned({ report }: AskedWitness, { size }: SignedCheckpoint): boolean {
  return report?.cosigned?.size === size;
}

/** Adds cosignatures to those that a checkpoint already has. */
function cosignedNote(checkpoint: SignedCheckpoint, added: readonly NoteSignature[]): string {
  return noteOf(checkpointText(checkpoint), [...parseNote(checkpoint.note).signatures, ...added]);
}

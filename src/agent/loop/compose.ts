/** What is to be sent to a board: which snapshots, and their exact bytes. */
import { isCorrected } from '#core/domain/counting.ts';
import { dayAfter, dayBefore } from '#core/domain/day.ts';
import { composeSnapshot } from '#core/domain/snapshot.ts';
import { uuidV7 } from '#core/domain/uuid.ts';
import type { Correction } from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { Device } from '../device.ts';
import type { SeenLogs } from '../kept/counted-logs.ts';
import type { Outbox, Rules, Statement } from '../kept/outbox.ts';
import { COLLECTOR } from '../version.ts';
import { withinSources } from './within-sources.ts';

/** Records in one snapshot: far below the board's limits, whatever the names are. */
const BATCH = 1000;

/** What the logs say, as a board may be told it. */
export interface Sendable {
  buckets: readonly Bucket[];
  /** By which rules each tool was counted, where all of its logs could be read. */
  rules: Rules;
  /** The first day of a tool of which no log is deleted yet; null if that cannot be told. */
  wholeFrom: (tool: string) => string | null;
  /** The logs of each tool. */
  logs: Readonly<Record<string, SeenLogs>>;
  /** The day on which the logs were read. */
  today: string;
}

/** What is to be sent, and what is not. */
export interface Due {
  statements: Statement[];
  notes: string[];
}

/** The exact payload that signs a statement, and the name of the submission. */
export interface Payload {
  id: string;
  payload: Uint8Array;
}

export function composePayload(
  { nowMs }: Pick<Device, 'nowMs'>,
  board: string,
  statement: Statement,
): Payload {
  const id = uuidV7(nowMs(), crypto.getRandomValues(new Uint8Array(10)));
  const payload = composeSnapshot({
    audience: board,
    submission_id: id,
    issuedAtMs: nowMs(),
    collector: COLLECTOR,
    ...statement,
  });
  return { id, payload };
}

/** Buckets in as many statements as are needed. */
export function batchesOf(buckets: readonly Bucket[]): Statement[] {
  const batches: Statement[] = [];
  for (let at = 0; at < buckets.length; at += BATCH) {
    batches.push({ correction: null, buckets: buckets.slice(at, at + BATCH) });
  }
  return batches;
}

/** What a board does not have as the logs tell it now: corrections first. */
export function statementsDue(outbox: Outbox, logged: Sendable): Due {
  const { taken: buckets, note } = withinSources(outbox.sources(), logged.buckets);
  const sendable = { ...logged, buckets };
  const changes = Object.keys(sendable.rules)
    .filter((tool) => hasOtherRules(outbox, tool, sendable))
    .map((tool) => changeOf(outbox, tool, sendable));
  const corrections = changes.flatMap((change) => change.corrections);
  const others = outbox.unsent(buckets).filter((bucket) => {
    return !corrections.some(({ correction }) => isCorrected(bucket, correction));
  });
  return {
    statements: [...corrections, ...batchesOf(others)],
    notes: [...changes.flatMap(({ notes }) => notes), ...(note === null ? [] : [note])],
  };
}

/** Tools that are counted by the rules of now: of all others a correction may still be due. */
export function settledRules(outbox: Outbox, { rules, wholeFrom }: Sendable): Rules {
  const settled = Object.entries(rules).filter(([tool]) => {
    return wholeFrom(tool) !== null || !outbox.hasSent(tool);
  });
  return Object.fromEntries(settled);
}

function hasOtherRules(outbox: Outbox, tool: string, { rules }: Sendable): boolean {
  const known = outbox.rulesOf(tool);
  return known !== undefined && known !== rules[tool];
}

/** What changed rules ask for, where all is known of the days on which the board has more. */
function changeOf(outbox: Outbox, tool: string, { buckets, wholeFrom }: Sendable) {
  const whole = wholeFrom(tool);
  if (whole === null) return { corrections: [], notes: [] };
  const goneTo = outbox.goneTo(tool);
  const from = goneTo !== null && goneTo >= whole ? dayAfter(goneTo) : whole;
  const mine = buckets.filter((bucket) => bucket.tool === tool);
  const lowered = outbox.loweredDays(tool, mine);
  const kept = lowered.filter((day) => day < from);
  const [first] = kept;
  const span = `${tool} from ${first} to ${kept.at(-1)}`;
  const note = `not corrected: ${span}: its rules changed, but logs of those days may be gone`;
  const corrections = correctionsOf(tool, mine, lowered, from);
  return { corrections, notes: first === undefined ? [] : [note] };
}

/**
 * The corrections of days on which the board has more than new rules count. A snapshot holds at
 * least one record, so a span without any is widened to the nearest day that has some.
 */
function correctionsOf(
  tool: string,
  buckets: readonly Bucket[],
  lowered: readonly string[],
  wholeFrom: string,
) {
  const first = lowered.find((day) => day >= wholeFrom);
  const last = lowered.at(-1);
  if (first === undefined || last === undefined) return [];
  const days = buckets.map(({ day }) => day).filter((day) => day >= wholeFrom);
  const isEmpty = !days.some((day) => day >= first && day <= last);
  const later = isEmpty ? days.find((day) => day > last) : last;
  const from = later === undefined ? days.findLast((day) => day < first) : first;
  if (from === undefined) return [];
  return splitByDays({ tool, from, to: later ?? last }, buckets);
}

/** A correction carries all buckets of its days: where they are too many, the days are split. */
function splitByDays(whole: Correction, buckets: readonly Bucket[]) {
  const parts: { correction: Correction; buckets: Bucket[] }[] = [];
  for (const bucket of buckets.filter((one) => isCorrected(one, whole))) {
    const part = parts.at(-1);
    const isSameDay = part?.buckets.at(-1)?.day === bucket.day;
    if (part && (isSameDay || part.buckets.length < BATCH)) {
      part.buckets.push(bucket);
      continue;
    }
    if (part) part.correction.to = dayBefore(bucket.day);
    const from = part ? bucket.day : whole.from;
    parts.push({ correction: { ...whole, from }, buckets: [bucket] });
  }
  return parts;
}

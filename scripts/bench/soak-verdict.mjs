// Evaluates the samples of the soak test (../soak.mjs): a list of findings, each good or bad.
import { median } from './lib.mjs';
import { straightLine } from './straight-line.mjs';

const HOUR_MS = 3_600_000;
/** The growth that is allowed: an amount each hour, or a share of the total over the whole time. */
const GROWTH = {
  heap_mb: { what: 'heap of the main thread after collection', hourly: 10, share: 0.02 },
  threads_mb: { what: 'heap of the other threads after collection', hourly: 10, share: 0.05 },
  buffers_mb: { what: 'buffers of the main thread', hourly: 20, share: 0.05 },
  rss_mb: { what: 'memory of the process', hourly: 50, share: 0.03 },
};
/** Anonymous memory may grow by less than this an hour, unless the growth may be chance. */
const FLAT_MB = 1;
/** How long caches fill, in hours: the samples before are left out. */
const WARM_UP_HOURS = 1 / 4;
/** Caches fill for some minutes, so a second half shorter than this, in hours, does not show growth. */
const LEAST_HOURS = 1 / 12;
/** The allowed growth of the write-ahead log since the first half, and the size that is always allowed. */
const WAL = { times: 2, mb: 64 };
/** Extra files that may be open after the load: five of the thread that converts pages, four to the process that draws. */
const MORE_FILES = 12;

/** Findings from the second half, when caches are full: memory, files and the write-ahead log. */
export function judgeSamples(samples) {
  const late = samples.slice(Math.floor(samples.length / 2));
  const early = samples.slice(0, Math.floor(samples.length / 2));
  return [
    ...Object.entries(GROWTH).map(([name, bounds]) => judgeGrowth(late, name, bounds)),
    judgeFlatness(samples),
    judgeFiles(early, late),
    judgeWal(early, late),
  ];
}

/**
 * Whether anonymous memory stays the same after the warm-up: the slope is below the limit, or its interval contains
 * zero. A short test leaves out its first half instead, and its result is only shown.
 */
function judgeFlatness(samples) {
  const what = 'anonymous memory after the warm-up';
  const points = samples
    .filter(({ anonymous_mb }) => anonymous_mb !== null)
    .map(({ atMs, anonymous_mb }) => [atMs / HOUR_MS, anonymous_mb]);
  const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
  const isShort = last - first < 2 * WARM_UP_HOURS;
  const from = isShort ? (first + last) / 2 : first + WARM_UP_HOURS;
  const late = points.filter(([hour]) => hour >= from);
  if (late.length < 4) return { what, told: 'too few samples', isGood: true };
  const { slope, halfWidth } = straightLine(late);
  const [least, greatest] = [slope - halfWidth, slope + halfWidth];
  const told = `${median(late.map(([, mb]) => mb)).toFixed(0)} MB, ${signed(slope)} MB an hour (95%: ${signed(least)} to ${signed(greatest)}) over ${((last - from) * 60).toFixed(0)} minutes`;
  if (isShort) return { what, told: `${told}; too short to judge`, isGood: true };
  return { what, told, isGood: slope < FLAT_MB || least <= 0 };
}

/** Growth counts only if the lower bound of the slope's interval exceeds the limit. */
function judgeGrowth(samples, name, { what, hourly, share }) {
  const points = samples
    .filter((sample) => sample[name] !== null)
    .map((sample) => [sample.atMs / HOUR_MS, sample[name]]);
  if (points.length < 4) return { what, told: 'too few samples', isGood: true };
  const { slope, halfWidth } = straightLine(points);
  const least = slope - halfWidth;
  const hours = points.at(-1)[0] - points[0][0];
  const usual = median(points.map(([, value]) => value));
  const told = `${usual.toFixed(0)} MB, ${signed(slope)} MB an hour (95%: ${signed(least)} to ${signed(slope + halfWidth)})`;
  if (hours < LEAST_HOURS) return { what, told: `${told}; too short to judge`, isGood: true };
  return { what, told, isGood: least < hourly || least * hours < share * usual };
}

function judgeFiles(early, late) {
  const files = (samples) => samples.map(({ files }) => files);
  const before = Math.max(...files(early));
  const after = median(files(late));
  return {
    what: 'open files under load',
    told: `at most ${before} in the first half, ${after} usually in the second`,
    isGood: after <= before,
  };
}

function judgeWal(early, late) {
  const most = (samples) => Math.max(...samples.map(({ wal_mb }) => wal_mb));
  const allowed = Math.max(WAL.mb, WAL.times * most(early));
  return {
    what: 'write-ahead log',
    told: `at most ${most(early).toFixed(1)} MB, then ${most(late).toFixed(1)} MB`,
    isGood: most(late) <= allowed,
  };
}

/** Findings about responses, the server's log, and its state after all clients left. */
export function judgeWhole({ tally, errors, rest, stopped, verified }) {
  const isFailure = ([name]) => / 5\d\d$/.test(name) && !name.startsWith('log file ');
  const failed = Object.entries(tally.counts).filter(isFailure);
  return [
    {
      what: 'answers',
      told: `${tally.total}, of which ${failed.map(([name, n]) => `${n} ${name}`).join(', ') || 'none'} failed`,
      isGood: failed.length === 0,
    },
    {
      what: 'wrong or missing responses',
      told: [tally.faultCount, ...tally.faults].join('\n    '),
      isGood: tally.faultCount === 0,
    },
    {
      what: 'errors in the log',
      told: [errors.length, ...errors].join('\n    '),
      isGood: errors.length === 0,
    },
    {
      what: 'open files before the load and after it',
      told: `${rest.before.length} and ${rest.after.length}${moreThan(rest.before, rest.after)}`,
      isGood: rest.after.length <= rest.before.length + MORE_FILES,
    },
    {
      what: 'end',
      told: `code ${stopped.code} after ${stopped.seconds.toFixed(1)} s`,
      isGood: stopped.code === 0 && stopped.seconds < 10,
    },
    { what: 'verify', told: verified.text, isGood: verified.isClean },
  ];
}

/** The files that are open now and were not before. */
function moreThan(before, after) {
  const left = [...before];
  const more = after.filter((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return more.length === 0 ? '' : `, with ${more.join(', ')}`;
}

function signed(value) {
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(1)}`;
}

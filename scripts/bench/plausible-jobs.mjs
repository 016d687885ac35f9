// Honest accounts of programs that ask the same every day. Their counts repeat and are rounder than those of people.

/** The requests of a job in a day, if somebody chose the number. */
const CHOSEN = [10, 50, 100, 500, 1000];

/** A job with one of the tools. Its prompt begins with the same text, which the provider caches. */
export function aJob(random, tools) {
  const oneOf = (list) => list[Math.floor(random.uniform() * list.length)];
  const kind = random.chance(0.6) ? tools[0] : random.chance(0.75) ? tools[1] : tools[2];
  const block = kind.block ?? 1;
  // A fixed short answer, such as "OK", or what a model writes to the same question.
  const spread = oneOf([0, 0.05, 0.2, 0.4]);
  const fresh = kind.writes === null ? 200 + 3000 * random.uniform() : 1 + 20 * random.uniform();
  return {
    kind,
    isAlone: random.chance(0.5),
    requests: random.chance(0.3) ? oneOf(CHOSEN) : Math.exp(Math.log(3000) * random.uniform()),
    requestsSpread: random.chance(0.6) ? 0 : 0.2,
    fresh: Math.ceil(fresh),
    freshSpread: random.chance(0.5) ? 0 : 0.3,
    prefix: block * Math.round((5000 + 30_000 * random.uniform()) / block),
    // How many requests follow a write, before a cache expires.
    readsOfWrite: random.chance(0.5) ? 200 : Infinity,
    written: Math.ceil(spread === 0 ? 10 * random.uniform() : 30 * 2 ** (5 * random.uniform())),
    spread,
    weekends: random.chance(0.5),
  };
}

/** The counts of a job's day; null if it does not run on that day. */
export function jobDay(random, job, number) {
  if (!job.weekends && number % 7 >= 5) return null;
  const { kind, prefix } = job;
  const wanted = job.requests * Math.exp(job.requestsSpread * random.normal());
  const requests = Math.max(1, Math.round(wanted));
  const sum = (each, spread) => {
    const part = 1 + (spread / Math.sqrt(requests)) * random.normal();
    return Math.max(1, Math.round(requests * each * Math.max(0.1, part)));
  };
  const input = sum(job.fresh, job.freshSpread);
  const output = sum(job.written, job.spread);
  const read = requests * prefix;
  if (kind.perRequest === null) {
    return { tool: kind.tool, input: input + read, output, cache_write: null, cache_read: null };
  }
  const cache_write =
    kind.writes === null ? null : prefix * Math.ceil(requests / job.readsOfWrite + 1e-9);
  return { tool: kind.tool, input, output, cache_write, cache_read: read };
}
